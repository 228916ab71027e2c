// A node of a Citus cluster is lost between the two phases of a commit: the upload is acknowledged, and its rows stay invisible on the node
// until Citus repeats the commit. The next upload of the user must not be computed without them.
//   TEST_POSTGRES=citus:FOLDER npm test -- --long server/test/faults/citus-in-doubt.test.ts
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startCitusCluster } from '../support/citus-cluster.ts';
import { waitFor } from '../support/service-process.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const [, FOLDER] = (process.env.TEST_POSTGRES ?? '').split(/^citus:/);
const LIMIT_MS = 10_000;
const DATE = '2026-01-10';
/** Recovery runs when the test asks for it. */
const NO_RECOVERY = { 'citus.recover_2pc_interval': '-1' };

describe('an acknowledged upload that its node has not committed', {
  skip: FOLDER === undefined && 'needs TEST_POSTGRES=citus:FOLDER',
}, () => {
  it('is there for the next change of the user: an upload after the first upload, after a later one, and a deletion', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'citus-'));
    t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    const link = createLink();
    t.after(() => link.close());
    const { coordinator, workers, stop } = await startCitusCluster(folder, FOLDER as string, NO_RECOVERY, link.open);
    t.after(stop);
    const service = await startTestService({ databaseUrl: coordinator.url, role: 'api' });
    t.after(() => service.stop());

    const countOnNodes = async (text: string) => {
      const rows = await Promise.all(workers.map((worker) => worker.query<{ n: number }>(text)));
      return rows.reduce((sum, [row]) => sum + (row?.n ?? 0), 0);
    };
    const countPrepared = () => countOnNodes('select count(*)::int as n from pg_prepared_xacts');
    const countWaiting = () =>
      countOnNodes(`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`);
    const { id } = await createUser(service.api());
    const phone = await startPhone(service, id);
    const state = (metric: string, value: number) =>
      phone.upload({ daily: [{ metric, date: DATE, value, unit: 'count' }] });

    const stateWithoutCommit = async (steps: number) => {
      link.cutNextCommit();
      await state('steps', steps);
      assert.equal(await countPrepared(), 1, 'the node has not committed');
    };
    const recoverOnceWaiting = async (next: Promise<unknown>) => {
      await waitFor('the next change to wait', LIMIT_MS, async () => (await countWaiting()) === 1);
      await coordinator.query('select recover_prepared_transactions()');
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
  });
});

/** Connections to nodes. After `cutNextCommit`, the connection that gets the second phase of a commit is lost before the node sees it. */
function createLink() {
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  let isCutting = false;
  const carry = (from: Socket, to: Socket, isCut: (bytes: Buffer) => boolean) => {
    sockets.add(from);
    from.on('data', (bytes: Buffer) => {
      if (!isCut(bytes)) return void to.write(bytes);
      from.destroy();
      to.destroy();
    });
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  };
  return {
    /** Returns the port that leads to the given one. */
    async open(port: number): Promise<number> {
      const server = createServer((coordinator) => {
        const node = connect(port, '127.0.0.1');
        carry(coordinator, node, (bytes) => {
          if (!isCutting || !bytes.includes('COMMIT PREPARED')) return false;
          isCutting = false;
          return true;
        });
        carry(node, coordinator, () => false);
      });
      servers.push(server);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    },
    cutNextCommit() {
      isCutting = true;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      for (const server of servers) server.close();
    },
  };
}
