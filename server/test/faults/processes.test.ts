// tributary serve --processes: one port, all metrics in one place, no failed request in a restart, nobody left behind.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { readServiceAddress } from '../../src/platform/data-folder.ts';
import { parseScrape, seriesValue } from '../support/scrape.ts';
import {
  apiOf,
  awaitNoDatabase,
  MAIN,
  openServiceHarness,
  queryEmbedded,
  type ReadyService,
  type ServiceHarness,
  waitFor,
} from '../support/service-process.ts';

const LIMIT_MS = 60_000;
const EVERY_MS = 20; // below the rate limit of a key
const COMMAND: [string, ...string[]] = [process.execPath, MAIN, 'serve', '--processes', '2'];

describe('serve --processes 2', { timeout: 600_000 }, () => {
  it('restarts on SIGHUP without a failed request, replaces a killed process, and leaves none behind', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await startGroup(harness);
    const first = await awaitProcesses(service);
    const api = apiOf(service);
    const { id } = (await api.post('/v1/users', { reference_id: 'ada' })).body.data;

    const before = await countRequests(service);
    for (let call = 0; call < 20; call += 1)
      await fetch(`${service.url}/v1/users/${id}`, { headers: { connection: 'close', ...bearer(service) } });
    assert.equal((await countRequests(service)) - before, 20, 'each process reports the requests of both');

    const served = await countRequests(service);
    const load = startLoad(service, `/v1/users/${id}`);
    service.signal('SIGHUP');
    await waitFor('the restart', LIMIT_MS, async () => service.stderr().includes('all processes were restarted'));
    const statuses = await load.end();
    t.diagnostic(`${statuses.length} requests during the restart`);
    assert.deepEqual(new Set(statuses), new Set([200]));
    assert.equal((await countRequests(service)) - served, statuses.length, 'counters go on over a restart');
    const startedAt = await readMetric(service, 'process_start_time_seconds');
    assert.equal(await readMetric(service, 'tributary_process_restarts_total'), 0);
    assert.deepEqual(first.map(({ pid }) => pid).filter(isAlive), [], 'all processes are new');
    const second = await awaitProcesses(service);
    const tool = harness.run([process.execPath, MAIN, 'accounts', 'list', '--json'], {
      TRIBUTARY_DATA_DIR: harness.dataDir,
    });
    assert.deepEqual(await tool.exited, { code: 0, signal: null }, tool.stderr());

    const victim = second.find(({ role }) => role === 'api')?.pid ?? assert.fail('no API process');
    process.kill(victim, 'SIGKILL');
    await waitFor('another API process', LIMIT_MS, async () => {
      const now = await listProcesses(service);
      return now.filter(({ role }) => role === 'api').length === 2 && !now.some(({ pid }) => pid === victim);
    });
    assert.equal((await api.get(`/v1/users/${id}`)).status, 200);
    assert.ok((await countRequests(service)) > served + statuses.length, 'a killed process keeps what it had reported');
    assert.equal(await readMetric(service, 'tributary_process_restarts_total'), 1);
    assert.equal(await readMetric(service, 'process_start_time_seconds'), startedAt, 'the start of the group');

    const last = await listProcesses(service);
    await service.end('SIGKILL');
    await waitFor('the end of all processes', LIMIT_MS, async () => !last.some(({ pid }) => isAlive(pid)));
    await awaitNoDatabase(harness.dataDir);
  });

  it('stops all processes on SIGTERM, then the database, and exits with 0', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await startGroup(harness);
    const pids = (await awaitProcesses(service)).map(({ pid }) => pid);
    const { size, connections } = await readConnections(harness, service);
    assert.ok(size >= 3 + 3 * 18 + 20, `the embedded server allows ${size} connections`);
    assert.match(
      connections?.found ?? 'doctor did not check them',
      new RegExp(`^3 running processes open up to 56, 18 more .*; the server allows ${size - 3}$`),
    );
    assert.equal(connections?.fix, undefined);
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
    assert.deepEqual(pids.filter(isAlive), []);
    assert.doesNotMatch(service.stderr(), /"level":"(warn|error|fatal)"/);
    await awaitNoDatabase(harness.dataDir);
  });

  it('restarts again if SIGHUP arrives during the start or a restart', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start({ command: COMMAND }).ready();
    service.signal('SIGHUP'); // the lead process is ready, others are starting
    await waitFor('the restart', LIMIT_MS, async () => service.stderr().includes('restarting one process'));
    const isRestarted = (times: number) => service.stderr().split('all processes were restarted').length > times;
    assert.equal(isRestarted(1), false);
    service.signal('SIGHUP');
    service.signal('SIGHUP');
    await waitFor('two restarts', LIMIT_MS, async () => isRestarted(2));
    const pids = (await awaitProcesses(service)).map(({ pid }) => pid);
    await waitFor('a third restart', 2_000, async () => isRestarted(3)).then(
      () => assert.fail('signals during one restart are one wish'),
      () => undefined,
    );
    assert.deepEqual(pids.filter(isAlive), pids);
  });

  it('also replaces a process that was being started again when SIGHUP arrived', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await startGroup(harness);
    const lead = readServiceAddress(harness.dataDir)?.pid ?? assert.fail('no service');
    const former = new Set(await listChildren(service.pid));
    process.kill(lead, 'SIGKILL');
    const started = await waitFor('its successor', LIMIT_MS, async () =>
      (await listChildren(service.pid)).find((pid) => !former.has(pid)),
    );
    service.signal('SIGHUP');
    await waitFor('the restart', LIMIT_MS, async () => service.stderr().includes('all processes were restarted'));
    assert.equal(isAlive(started), false, 'it may have loaded the former code');
    assert.equal((await awaitProcesses(service)).length, 3);
    assert.equal(await readMetric(service, 'tributary_process_restarts_total'), 1);
  });

  it('stops during a restart without an error', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await startGroup(harness);
    service.signal('SIGHUP');
    await waitFor('the restart', LIMIT_MS, async () => service.stderr().includes('restarting one process'));
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
    assert.doesNotMatch(service.stderr(), /"level":"(warn|error|fatal)"/);
  });

  it('stops while processes start without an error', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await harness.start({ command: COMMAND }).ready();
    assert.deepEqual(await service.end('SIGTERM'), { code: 0, signal: null });
    assert.doesNotMatch(service.stderr(), /"level":"(warn|error|fatal)"/);
  });

  it('replaces a process that does not respond', async (t) => {
    const harness = await openServiceHarness(t);
    const service = await startGroup(harness);
    const worker =
      (await awaitProcesses(service)).find(({ role }) => role === 'worker')?.pid ?? assert.fail('no worker');
    t.after(() => isAlive(worker) && process.kill(worker, 'SIGKILL')); // ends by no other signal
    process.kill(worker, 'SIGSTOP');
    await waitFor('another worker', LIMIT_MS, async () => {
      const now = await listProcesses(service);
      return now.some(({ role, pid }) => role === 'worker' && pid !== worker);
    });
    assert.equal(isAlive(worker), false);
    assert.match(service.stderr(), /The worker process did not respond for 30 seconds and was killed\./);
    assert.equal(await readMetric(service, 'tributary_process_restarts_total'), 1);
  });

  it('ends if the machine refuses to create processes, and says so', async (t) => {
    const harness = await openServiceHarness(t);
    const limited: [string, ...string[]] = ['sh', '-c', 'ulimit -n 24; exec "$0" "$@"', ...COMMAND];
    const service = harness.start({ command: limited });
    await service.refused();
    assert.match(service.stderr(), /^The api process could not be created: .*EMFILE\. Raise the limits/m);
    assert.doesNotMatch(service.stderr(), /stopping took too long/);
    await awaitNoDatabase(harness.dataDir);
  });

  it('ends with the message of a process that cannot start', async (t) => {
    const harness = await openServiceHarness(t);
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    const { port } = other.address() as { port: number };
    const service = harness.start({ command: COMMAND, environment: { PORT: String(port) } });
    await service.refused();
    assert.equal(service.stderr().split(`Port ${port} on 127.0.0.1 is in use.`).length, 2, service.stderr());
    await awaitNoDatabase(harness.dataDir);
  });
});

async function startGroup(harness: ServiceHarness): Promise<ReadyService> {
  const service = await harness.start({ command: COMMAND }).ready();
  await waitFor('all processes', LIMIT_MS, async () => service.stderr().includes('all processes are ready'));
  return service;
}

async function listChildren(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** As they report themselves; one that was killed cannot take back its report. */
async function listProcesses({ dataDir }: ReadyService): Promise<{ pid: number; role: string }[]> {
  const rows = await queryEmbedded<{ pid: number; role: string }>(dataDir, 'select pid, role from processes');
  return rows.filter(({ pid }) => isAlive(pid));
}

/** Two that serve and a worker. Each reports itself shortly after it is ready. */
function awaitProcesses(service: ReadyService): Promise<{ pid: number; role: string }[]> {
  return waitFor('the reports of all processes', LIMIT_MS, async () => {
    const all = await listProcesses(service);
    const roles = all.map(({ role }) => role).sort();
    return roles.join() === 'api,api,worker' && all;
  });
}

async function countRequests({ url }: ReadyService): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = /^tributary_http_request_seconds_count\{method="GET",route="\/v1\/users\/:\w+",status="200"\} (\d+)$/m;
  return Number(line.exec(text)?.[1] ?? 0);
}

async function readMetric({ url }: ReadyService, name: string): Promise<number | undefined> {
  return seriesValue(parseScrape(await (await fetch(`${url}/metrics`)).text()), name);
}

/** What the embedded server allows, and what doctor says about it. */
async function readConnections({ run }: ServiceHarness, { dataDir }: ReadyService) {
  const [row] = await queryEmbedded<{ max_connections: string }>(dataDir, 'show max_connections');
  const doctor = run([process.execPath, MAIN, 'doctor', '--json'], { TRIBUTARY_DATA_DIR: dataDir });
  assert.deepEqual(await doctor.exited, { code: 0, signal: null }, doctor.stdout());
  const { checks } = JSON.parse(doctor.stdout()) as { checks: { check: string; found: string; fix?: string }[] };
  return { size: Number(row?.max_connections), connections: checks.find(({ check }) => check === 'connections') };
}

/** Over kept connections, as most clients have. */
function startLoad(service: ReadyService, path: string): { end(): Promise<number[]> } {
  const answers: Promise<number>[] = [];
  let isOver = false;
  const get = async () => {
    const answer = await fetch(`${service.url}${path}`, { headers: bearer(service) });
    await answer.arrayBuffer();
    return answer.status;
  };
  const sending = (async () => {
    while (!isOver) {
      answers.push(get().catch(() => 0));
      await delay(EVERY_MS);
    }
  })();
  return {
    async end() {
      isOver = true;
      await sending;
      return Promise.all(answers);
    },
  };
}

function bearer({ keys }: ReadyService): Record<string, string> {
  return { authorization: `Bearer ${keys.live}` };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
