// Runs every contestant in its own process, controlled over IPC: they share the machine, but no event loop and no heap.
import { fork } from 'node:child_process';
import { once } from 'node:events';

export type BenchChild = {
  readonly pid: number;
  call<Answer>(request: string, argument?: unknown): Promise<Answer>;
  /** The CPU time of all threads so far. */
  readCpuSeconds(): Promise<number>;
  end(): Promise<void>;
};

const READ_CPU_SECONDS = 'read cpu seconds';

type Request = { readonly id: number; readonly request: string; readonly argument: unknown };
type Answer = { readonly id: number; readonly answer?: unknown; readonly error?: string };

export async function startBenchChild(
  file: string,
  { nodeFlags = [], environment = {} }: { nodeFlags?: string[]; environment?: Record<string, string> } = {},
): Promise<BenchChild> {
  const child = fork(file, { execArgv: nodeFlags, env: { ...plainEnvironment(), ...environment } });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let count = 0;
  child.on('message', ({ id, answer, error }: Answer) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(answer);
    else asked?.reject(new Error(error));
  });
  child.on('exit', (code) => {
    for (const asked of waiting.values()) asked.reject(new Error(`${file} ended with status ${code}`));
  });
  await once(child, 'spawn');
  const call = (request: string, argument?: unknown) => {
    const asked = Promise.withResolvers<unknown>();
    const message: Request = { id: ++count, request, argument };
    waiting.set(message.id, asked);
    child.send(message);
    return asked.promise;
  };
  return {
    pid: child.pid ?? 0,
    call: <Result>(request: string, argument?: unknown) => call(request, argument) as Promise<Result>,
    readCpuSeconds: () => call(READ_CPU_SECONDS) as Promise<number>,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** The child's side. It exits when its parent disconnects or dies. */
export function answerParent(
  answers: Readonly<Record<string, (argument: never) => unknown>>,
  end = async () => {},
): void {
  process.on('message', async ({ id, request, argument }: Request) => {
    const reply = (message: Answer) => process.connected && process.send?.(message);
    try {
      const answer = request === READ_CPU_SECONDS ? readCpuSeconds() : await answers[request]?.(argument as never);
      reply({ id, answer });
    } catch (error) {
      reply({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.on('disconnect', async () => {
    await end();
    process.exit();
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined); // the parent stops us
}

function readCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Drops settings of the caller such as NODE_OPTIONS, extra certificates or TRIBUTARY_…, which would affect the measurement. */
export function plainEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { ...(PATH && { PATH }), ...(HOME && { HOME }), ...(TMPDIR && { TMPDIR }) };
}
