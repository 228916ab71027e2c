// The terminal of a service that a benchmark starts.
import type { Terminal } from '../../src/cli/terminal.ts';

export function createBenchTerminal(environment: Terminal['environment'], stdout: (text: string) => void) {
  const listeners: (() => void)[] = [];
  const terminal: Terminal = {
    argv: [],
    environment,
    stdout,
    stderr: (text) => void process.stderr.write(text),
    readSecret: async () => '',
    onStopSignal: (listener) => void listeners.push(listener),
    onReloadSignal: () => undefined,
    exitNow: (code) => process.exit(code),
  };
  return { terminal, stop: () => listeners.forEach((listener) => void listener()) };
}
