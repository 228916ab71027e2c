// A service that stores uploads on the nodes of a Citus cluster directly.
//   TEST_POSTGRES=citus:FOLDER npm test -- --long server/test/faults/citus-nodes.test.ts
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { shardOf } from '../../src/platform/db/shards.ts';
import { CITUS_FOLDER, joinNodes, startCitusCluster } from '../support/citus-cluster.ts';
import { openLink, type TcpLink } from '../support/tcp-link.ts';
import { RING, startPhone } from '../support/test-phone.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const PHONES = 8;
const DATE = '2026-03-09';

/** One of each kind, in the order in which a phone could send them. */
const UPLOADS: readonly object[] = [
  {
    samples: [{ metric: 'heart_rate', start: `${DATE}T10:00:00Z`, value: 60, unit: 'bpm' }],
    timezone: 'Europe/Berlin',
  },
  { daily: [{ metric: 'steps', date: DATE, value: 5_000, unit: 'count' }], timezone: 'America/New_York' },
  { sleep: [{ id: 'night', start: '2026-03-08T22:00:00Z', end: `${DATE}T06:00:00Z` }] },
  { workouts: [{ id: 'run', type: 'running', start: `${DATE}T12:00:00Z`, end: `${DATE}T12:30:00Z` }] },
  { source: RING, samples: [{ metric: 'heart_rate', start: `${DATE}T10:01:00Z`, value: 70, unit: 'bpm' }] },
  { deleted: [{ kind: 'sleep', id: 'night' }] },
  { deleted: [{ kind: 'samples', metric: 'heart_rate', start: `${DATE}T10:00:00Z`, end: `${DATE}T10:00:00Z` }] },
  { deleted: [{ kind: 'workout', id: 'run' }] },
];

describe('uploads on the nodes of a Citus cluster', {
  skip: CITUS_FOLDER === undefined && 'needs TEST_POSTGRES=citus:FOLDER',
}, () => {
  it('stores every kind of upload on the node, and keeps the order of the events of a user', async (t) => {
    const { cluster, service, phones } = await start(t, true);
    const outcomes = recordOutcomes(service);
    for (const upload of UPLOADS) await Promise.all(phones.map(({ phone }) => phone.upload(upload)));
    assert.deepEqual([...new Set(outcomes)], ['stored']);
    // The deletion uses the coordinator, and the next upload the node again.
    for (const { id, phone } of phones) {
      const { data } = (await service.api().get(`/v1/users/${id}/devices`)).body;
      const [device] = data;
      assert.equal((await service.api().delete(`/v1/users/${id}/devices/${device.id}`)).status, 204);
      await phone.upload({ daily: [{ metric: 'floors_climbed', date: DATE, value: 3, unit: 'count' }] });
    }
    // The service has no publisher. Ids ascend with the time, and the publisher follows `seq`.
    const rows = await cluster.coordinator.query<{ events: number; isInOrder: boolean }>(
      `select count(*)::int as events, array_agg(id order by seq) = array_agg(id order by id) as "isInOrder" from event_outbox group by user_id`,
    );
    assert.equal(rows.length, PHONES);
    for (const row of rows) assert.ok(row.isInOrder && row.events > UPLOADS.length, JSON.stringify(row));
  });

  it('stores uploads through the coordinator while a node does not reach it', async (t) => {
    const links = new Map<number, TcpLink>();
    t.after(() => {
      for (const link of links.values()) link.close();
    });
    const { cluster, service, phones } = await start(t, true, async (port) => {
      const link = await openLink(port);
      links.set(port, link);
      return link.port;
    });
    const outcomes = recordOutcomes(service);
    const { nodes } = service.running.services;
    const send = async (value: number) => {
      const daily = [{ metric: 'steps', date: DATE, value, unit: 'count' }];
      await Promise.all(phones.map(({ phone }) => phone.upload({ daily })));
    };
    await send(1);
    const toCoordinator = links.get(cluster.coordinator.port);
    toCoordinator?.cut();
    await send(2);
    assert.ok(outcomes.includes('split'));
    for (const { node } of await nodes.shards()) assert.equal(nodes.find(node), null);
    outcomes.length = 0;
    await send(3);
    assert.deepEqual([...new Set(outcomes)], ['stored']);
    toCoordinator?.mend();
    await joinNodes(service.running.services);
    await send(4);
    assert.deepEqual([...new Set(outcomes)], ['stored']);
  });

  for (const [way, isDirect] of [
    ['without connections to the nodes', false],
    ['with connections to the nodes', true],
  ] as const)
    it(`stores the uploads of users on the other node if one is down, ${way}`, async (t) => {
      const { cluster, service, phones } = await start(t, isDirect);
      const shards = await service.running.services.nodes.shards();
      const nodeOf = (id: string) => shards.indexOf(shardOf(shards, id));
      assert.deepEqual([...new Set(phones.map(({ id }) => nodeOf(id)))].sort(), [0, 1]);
      const [lost] = await cluster.coordinator.query<{ port: number }>(
        `select nodeport as port from pg_dist_node where groupid = ${shards[0]?.node}`,
      );
      await cluster.workers.find(({ port }) => port === lost?.port)?.kill();
      for (const value of [1, 2, 3]) {
        const daily = [{ metric: 'steps', date: DATE, value, unit: 'count' }];
        const answers = await Promise.all(
          phones.map(({ phone }) => phone.send({ upload_id: randomUUID(), source: RING, daily })),
        );
        assert.deepEqual(
          answers.map(({ status }) => status),
          phones.map(({ id }) => (nodeOf(id) === 0 ? 503 : 200)),
        );
      }
    });
});

async function start(t: TestContext, isDirect: boolean, reach?: (port: number) => Promise<number>) {
  const folder = await mkdtemp(join(tmpdir(), 'citus-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const cluster = await startCitusCluster(folder, CITUS_FOLDER as string, {}, reach && { reach });
  t.after(() => cluster.stop());
  const environment = isDirect ? cluster.nodeSettings : {};
  const service = await startTestService({ databaseUrl: cluster.coordinator.url, role: 'api', environment });
  t.after(() => service.stop());
  if (isDirect) await joinNodes(service.running.services);
  const phones = await Promise.all(
    Array.from({ length: PHONES }, async () => {
      const { id } = await createUser(service.api());
      return { id, phone: await startPhone(service, id) };
    }),
  );
  return { cluster, service, phones };
}

function recordOutcomes({ running }: TestService): string[] {
  const outcomes: string[] = [];
  const watched = running.services.metrics as { countUploadGroup(outcome: string): void };
  watched.countUploadGroup = (outcome) => void outcomes.push(outcome);
  return outcomes;
}
