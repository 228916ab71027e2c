// Runs the tributary command as a process against a test service, for what only a process has: signals, pipes, an exit code.
// Other tests run the command in their own process and save the half second of a start (run-cli.ts).
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import type { Config } from '../../src/config.ts';
import { MAIN } from './service-process.ts';
import { waitUntil } from './wait-until.ts';

export type CliOutcome = { readonly code: number; readonly stdout: string; readonly stderr: string };

export type StartedCli = {
  stdout(): string;
  stderr(): string;
  /** Waits for matching lines on standard output and returns them. */
  lines(pattern: RegExp, count: number): Promise<string[]>;
  /** Waits for a text on either output. */
  waitForOutput(pattern: RegExp): Promise<unknown>;
  /** Sends the signal of Ctrl-C; resolves with the exit code after all output, null if the signal killed it. */
  interrupt(): Promise<number | null>;
};

const LIMIT_MS = 60_000;

export type Served = { readonly config: Config };

export function spawnCli(
  service: Served,
  args: readonly string[],
  environment: Record<string, string> = {},
  input = '',
): Promise<CliOutcome> {
  const env = { ...environmentOf(service), ...environment };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, ...args], { env, timeout: LIMIT_MS }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

/** For commands that run until they are interrupted; the test stops them at its end. */
export function startCliProcess(t: TestContext, service: Served, args: readonly string[]): StartedCli {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: environmentOf(service),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close') as Promise<[number | null]>;
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  t.after(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  return {
    ...watchOutput(args, output),
    async interrupt() {
      child.kill('SIGINT');
      return (await closed)[0];
    },
  };
}

export function watchOutput(
  args: readonly string[],
  output: { readonly stdout: string; readonly stderr: string },
): Omit<StartedCli, 'interrupt'> {
  const describe = (what: string) => `${what} of ${args.join(' ')}`;
  const findLines = (pattern: RegExp) => output.stdout.split('\n').filter((line) => pattern.test(line));
  return {
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    lines: (pattern, count) =>
      waitUntil(
        describe(`${count} lines ${pattern}`),
        () => (findLines(pattern).length >= count ? findLines(pattern) : null),
        LIMIT_MS,
      ),
    waitForOutput: (pattern) =>
      waitUntil(describe(`${pattern}`), () => pattern.test(output.stdout) || pattern.test(output.stderr), LIMIT_MS),
  };
}

export function environmentOf({ config }: Served): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    PORT: '0',
    TRIBUTARY_DATA_DIR: config.dataDir,
    DATABASE_URL: config.databaseUrl ?? '',
  };
}
