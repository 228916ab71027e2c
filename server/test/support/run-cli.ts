// Runs the tributary command in this process against a test service: everything except what main.ts does (cli-process.ts).
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { runCli as runCommand } from '../../src/cli/run-cli.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { type CliOutcome, environmentOf, type Served, type StartedCli, watchOutput } from './cli-process.ts';

export async function runCli(
  service: Served,
  args: readonly string[],
  environment: Record<string, string> = {},
  input = '',
): Promise<CliOutcome> {
  const output = { stdout: '', stderr: '' };
  const terminal = createTerminal(args, { ...environmentOf(service), ...environment }, output, input);
  const code = await runCommand(terminal);
  return { code, ...output };
}

/** The message of the error that a command with `--json` printed; empty if it printed none. */
export function readMessage(stderr: string): string {
  return stderr === '' ? '' : (JSON.parse(stderr) as { message: string }).message;
}

/** For commands that run until they are interrupted; the test stops them at its end. */
export function startCli(
  t: TestContext,
  service: Served,
  args: readonly string[],
  environment: Record<string, string> = {},
): StartedCli {
  const output = { stdout: '', stderr: '' };
  const listeners: (() => void)[] = [];
  const terminal = createTerminal(args, { ...environmentOf(service), ...environment }, output, '', listeners);
  const ended = runCommand(terminal);
  const interrupt = () => {
    for (const listener of listeners) listener();
    return ended;
  };
  t.after(interrupt);
  return { ...watchOutput(args, output), interrupt };
}

function createTerminal(
  argv: readonly string[],
  environment: Terminal['environment'],
  output: { stdout: string; stderr: string },
  input: string,
  listeners: (() => void)[] = [],
): Terminal {
  return {
    argv,
    environment,
    stdout: (text) => {
      output.stdout += text;
    },
    stderr: (text) => {
      output.stderr += text;
    },
    readSecret: async () => input.trim(),
    onStopSignal: (listener) => void listeners.push(listener),
    onReloadSignal: () => undefined,
    exitNow: (code) => assert.fail(`the command ended the process with ${code}`),
  };
}
