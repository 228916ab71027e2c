// The program under test: one JSON command per line on its stdin, one JSON answer per line on its stdout.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export type Program = {
  /** Resolves with the answer; rejects if the process ends first. */
  ask(command: object): Promise<Record<string, unknown>>;
  kill(): Promise<void>;
};

export function startProgram(command: readonly string[]): Program {
  const [file = '', ...args] = command;
  const child: ChildProcess = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting: { resolve: (answer: Record<string, unknown>) => void; reject: (error: Error) => void }[] = [];
  const ended = new Promise<void>((resolve) => {
    const end = (reason: string) => {
      for (const { reject } of waiting.splice(0)) reject(new Error(reason));
      resolve();
    };
    child.on('error', (error) => end(`the program cannot be started: ${error.message}`));
    child.on('exit', () => end('the program ended'));
  });
  child.stdin?.on('error', () => undefined); // it may have ended
  if (child.stdout)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = waiting.shift();
      try {
        answer?.resolve(JSON.parse(line) as Record<string, unknown>);
      } catch {
        answer?.reject(new Error(`not a line of JSON: ${line}`));
      }
    });
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin?.write(`${JSON.stringify(message)}\n`);
      }),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
