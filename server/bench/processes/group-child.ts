// The supervisor of a group, with sandbox users to read. Its processes run member-child.ts instead of the command line.
import cluster from 'node:cluster';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { serveGroup } from '../../src/cli/serve-group.ts';
import { callLoopback } from '../../src/platform/loopback-client.ts';
import { listDatabasePids, queryEmbedded } from '../../test/support/service-process.ts';
import { answerParent } from '../support/bench-child.ts';
import { readProcessCpuMs } from '../support/database-cpu.ts';
import { makeDataFolder } from '../support/make-data-folder.ts';
import { createBenchTerminal } from './bench-terminal.ts';

export type GroupFacts = { readonly url: string; readonly key: string; readonly paths: readonly string[] };
/** CPU time in milliseconds; the API processes one by one. */
export type GroupCpu = {
  readonly supervisor: number;
  readonly api: readonly number[];
  readonly worker: number;
  readonly database: number;
};

const POLL_MS = 100;
const dataDir = await makeDataFolder();
const output = join(dataDir, 'output.txt');
let end = async () => {};

async function start({ processes, users }: { processes: number; users: number }): Promise<GroupFacts> {
  const environment = {
    PORT: '0',
    TRIBUTARY_DATA_DIR: dataDir,
    TRIBUTARY_LOG_LEVEL: 'warn',
    TRIBUTARY_DASHBOARD_BUILD: 'off',
    BENCH_OUTPUT: output,
  };
  Object.assign(process.env, environment);
  cluster.setupPrimary({ exec: join(import.meta.dirname, 'member-child.ts'), args: [] });
  const { terminal, stop } = createBenchTerminal(environment, () => undefined);
  const served = serveGroup(terminal, { role: 'all', processes });
  end = async () => {
    stop();
    await served;
    await rm(dataDir, { recursive: true, force: true });
  };
  const banner = await Promise.race([awaitBanner(), served.then(() => Promise.reject(new Error('it ended')))]);
  const [, url = ''] = /API +(\S+)\/v1/.exec(banner) ?? [];
  const [, key = ''] = /Sandbox +(sk_\w+)/.exec(banner) ?? [];
  const paths: string[] = [];
  for (let index = 0; index < users; index += 1) {
    const { body } = await callLoopback(`${url}/v1/users`, {
      method: 'POST',
      token: key,
      body: { reference_id: `user ${index}` },
    });
    paths.push(`/v1/users/${(body as { data: { id: string } }).data.id}/daily`);
  }
  while ((await listMembers()).length < processes + 1) await delay(POLL_MS);
  return { url, key, paths };
}

async function awaitBanner(): Promise<string> {
  for (;;) {
    const text = await readFile(output, 'utf8').catch(() => '');
    if (/Create another key/.test(text)) return text;
    await delay(POLL_MS);
  }
}

function listMembers(): Promise<{ pid: number; role: string }[]> {
  return queryEmbedded<{ pid: number; role: string }>(dataDir, 'select pid, role from processes order by pid');
}

async function readCpu(): Promise<GroupCpu> {
  const members = await listMembers();
  const ofRole = (role: string) =>
    Promise.all(members.filter((member) => member.role === role).map(({ pid }) => readProcessCpuMs(pid)));
  const database = await Promise.all((await listDatabasePids(dataDir)).map(readProcessCpuMs));
  const [worker = 0] = await ofRole('worker');
  return {
    supervisor: await readProcessCpuMs(process.pid),
    api: await ofRole('api'),
    worker,
    database: database.reduce((sum, ms) => sum + ms, 0),
  };
}

answerParent({ start, readCpu }, () => end());
