// A phone uploads a few samples every few minutes, so each statement of an upload counts.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Transaction } from '../../src/platform/db/database.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());
const { db, metrics } = service.running.services;

const PHONES = 6;
const MAX_STATEMENTS = 16; // without begin, commit, and the lock of the data on Citus

describe('POST /v1/sdk/uploads', () => {
  it('200 after few statements, and changes the rows of user and device once', async () => {
    const { id } = await createUser(service.api());
    const phone = await startPhone(service, id);
    const send = (minute: number) =>
      phone.upload({
        samples: [{ metric: 'heart_rate', start: `2026-01-10T10:${minute}:00Z`, value: 60 + minute, unit: 'bpm' }],
        daily: [{ metric: 'steps', date: '2026-01-10', value: minute, unit: 'count' }],
      });
    await send(10);
    const statements = await recordTransactions(() => send(20));
    const upload = statements.find((names) => names.includes('insert_uploads_1')) ?? [];
    const updates = (pattern: RegExp) => upload.filter((name) => pattern.test(name));
    assert.deepEqual(updates(/^(advance_revision|record_sync)$/), ['advance_revision']);
    assert.deepEqual(updates(/^(update_source|record_device_sync)$/), ['record_device_sync']);
    const counted = upload.filter((name) => name !== 'lock_data_1');
    assert.ok(counted.length <= MAX_STATEMENTS, counted.join(', '));
    const [row] = await db.query<{ isSynced: boolean }>(
      'select last_sync_at is not null as "isSynced" from users where id = $1',
      [id],
    );
    assert.equal(row?.isSynced, true);
  });

  it('200 for phones that upload at the same time; each user has its own data', async () => {
    const users = await Promise.all(Array.from({ length: PHONES }, () => createUser(service.api())));
    const phones = await Promise.all(users.map(({ id }) => startPhone(service, id)));
    const outcomes = new Set<string>();
    const watched = metrics as { countUploadGroup: typeof metrics.countUploadGroup };
    watched.countUploadGroup = (outcome) => void outcomes.add(outcome);
    for (const minute of [10, 20]) {
      await Promise.all(
        phones.map((phone, index) =>
          phone.upload({
            samples: [{ metric: 'heart_rate', start: `2026-01-10T10:${minute}:00Z`, value: 60 + minute + index }],
            daily: [{ metric: 'steps', date: '2026-01-10', value: minute * 100 + index }],
          }),
        ),
      );
    }
    assert.deepEqual([...outcomes], ['stored']);
    const days = await Promise.all(users.map(({ id }) => readDay(id)));
    assert.deepEqual(
      days,
      users.map((_, index) => ({ heart_rate: 75 + index, steps: 2000 + index })),
    );
  });
});

async function readDay(userId: string): Promise<Record<string, unknown>> {
  const range = 'types=heart_rate,steps&from_date=2026-01-10&to_date=2026-01-10';
  const { body } = await service.api().get(`/v1/users/${userId}/daily?${range}`);
  return { heart_rate: body.series.heart_rate[0], steps: body.series.steps[0] };
}

/** The names of the statements of each transaction. */
async function recordTransactions(work: () => Promise<unknown>): Promise<string[][]> {
  const recorded: string[][] = [];
  const watched = db as { transaction: typeof db.transaction };
  const original = watched.transaction;
  watched.transaction = (inner) =>
    original((tx) => {
      const names: string[] = [];
      recorded.push(names);
      const query: Transaction['query'] = (sent, values) => {
        names.push(typeof sent === 'string' ? sent : sent.name);
        return tx.query(sent, values);
      };
      return inner({ ...tx, query });
    });
  await work().finally(() => {
    watched.transaction = original;
  });
  return recorded;
}
