// A server of a Citus cluster is lost between the two phases of a commit: the upload is acknowledged, and its rows stay invisible on this server
// until Citus repeats the commit. The next upload of the user must not be computed without them.
//   TEST_POSTGRES=citus:FOLDER npm test -- --long server/test/faults/citus-in-doubt.test.ts
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { CITUS_FOLDER, joinNodes, startCitusCluster } from '../support/citus-cluster.ts';
import { waitFor } from '../support/service-process.ts';
import { openLink, type TcpLink } from '../support/tcp-link.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const LIMIT_MS = 10_000;
const DATE = '2026-01-10';
const COUNT_PREPARED = 'select count(*)::int as n from pg_prepared_xacts';
/** Recovery runs when the test asks for it. */
const NO_RECOVERY = { 'citus.recover_2pc_interval': '-1' };

describe('an acknowledged upload that a server has not committed', {
  skip: CITUS_FOLDER === undefined && 'needs TEST_POSTGRES=citus:FOLDER',
}, () => {
  for (const [way, isDirect] of [
    ['through the coordinator', false],
    ['on its node', true],
  ] as const)
    it(`${way} is there for the next change of the user: an upload after the first upload, after a later one, and a deletion`, (t) =>
      testDoubt(t, isDirect));
});

async function testDoubt(t: TestContext, isDirect: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'citus-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const links = createLinks();
  t.after(() => links.close());
  const cluster = await startCitusCluster(folder, CITUS_FOLDER as string, NO_RECOVERY, {
    ofWorkers: NO_RECOVERY,
    reach: links.open,
  });
  const servers = [cluster.coordinator, ...cluster.workers];
  t.after(() => cluster.stop());
  const environment = isDirect ? cluster.nodeSettings : {};
  const service = await startTestService({ databaseUrl: cluster.coordinator.url, role: 'api', environment });
  t.after(() => service.stop());
  if (isDirect) await joinNodes(service.running.services);

  const count = async (text: string) => {
    const rows = await Promise.all(servers.map((server) => server.query<{ n: number }>(text)));
    return rows.reduce((sum, [row]) => sum + (row?.n ?? 0), 0);
  };
  const countPrepared = () => count(COUNT_PREPARED);
  const countWaiting = () => count(`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`);
  const { id } = await createUser(service.api());
  const phone = await startPhone(service, id);
  const state = (metric: string, value: number) =>
    phone.upload({ daily: [{ metric, date: DATE, value, unit: 'count' }] });

  const stateWithoutCommit = async (steps: number) => {
    links.cutNextCommit();
    await state('steps', steps);
    assert.equal(await countPrepared(), 1, 'a server has not committed');
    const [first] = await cluster.coordinator.query<{ n: number }>(COUNT_PREPARED);
    assert.equal(first?.n, isDirect ? 1 : 0, 'the node commits before the coordinator if the upload uses it directly');
  };
  const recoverOnceWaiting = async (next: Promise<unknown>) => {
    await waitFor('the next change to wait', LIMIT_MS, async () => (await countWaiting()) === 1);
    for (const server of servers) await server.query('select recover_prepared_transactions()');
    await next;
    assert.equal(await countPrepared(), 0);
  };

  for (const [steps, floors] of [
    [1_000, 10],
    [2_000, 11],
  ] as const) {
    await stateWithoutCommit(steps);
    await recoverOnceWaiting(state('floors_climbed', floors));
    const read = await service
      .api()
      .get(`/v1/users/${id}/daily?types=steps,floors_climbed&from_date=${DATE}&to_date=${DATE}`);
    assert.equal(read.status, 200, read.text);
    assert.deepEqual(read.body.series, { steps: [steps], floors_climbed: [floors] });
  }

  await stateWithoutCommit(3_000);
  await recoverOnceWaiting(service.api().delete(`/v1/users/${id}`));
}

/** Links between the servers. After `cutNextCommit`, the connection that carries the second phase of a commit is lost before the server sees it. */
function createLinks() {
  const links: TcpLink[] = [];
  let isCutting = false;
  const endsAt = (bytes: Buffer) => {
    const isEnd = isCutting && bytes.includes('COMMIT PREPARED');
    if (isEnd) isCutting = false;
    return isEnd;
  };
  return {
    /** Returns the port that leads to the given one. */
    async open(port: number): Promise<number> {
      const link = await openLink(port, endsAt);
      links.push(link);
      return link.port;
    },
    cutNextCommit() {
      isCutting = true;
    },
    close() {
      for (const link of links) link.close();
    },
  };
}
