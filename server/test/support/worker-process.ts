// Starts worker processes on the database of a test.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ending } from './ending.ts';
import type { TestCloud } from './test-cloud.ts';

export type WorkerProcess = {
  readonly url: string;
  /** Warnings and errors in its log. */
  alarms(): string;
  /** The sum of a metric of this process; `labels` is part of the text in braces. */
  metric(name: string, labels?: string): Promise<number>;
  moveClock(ms: number): Promise<void>;
  /** Ends it, if it runs. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
};

export async function startWorkerProcess(t: Ending, cloud: TestCloud, masterKey: string): Promise<WorkerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tributary-worker-'));
  const child = fork(join(import.meta.dirname, 'worker-program.ts'), {
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: cloud.service.config.databaseUrl ?? '',
      TRIBUTARY_DATA_DIR: dataDir,
      TRIBUTARY_MASTER_KEY: masterKey,
      STUB_URL: cloud.stub.url,
      START_MS: String(cloud.clock.now().getTime()),
    },
  });
  let alarms = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    alarms += text;
  });
  const exited = once(child, 'exit');
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  t.after(async () => {
    await end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });
  const [url] = await Promise.race([
    once(child, 'message'),
    exited.then(() => assert.fail(`the worker did not start: ${alarms}`)),
  ]);
  return {
    url,
    alarms: () => alarms,
    async metric(name, labels = '') {
      const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n');
      const counted = lines.filter((line) => line.split(/[{ ]/, 1)[0] === name && line.includes(labels));
      return counted.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    async moveClock(ms) {
      child.send(ms);
      await once(child, 'message');
    },
    end,
  };
}
