import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startTestService } from '../../../../test/support/test-service.ts';
import { createUser } from '../../../../test/support/test-users.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { asUnavailable } from '../../../platform/db/database-errors.ts';
import { AppError } from '../../../platform/errors.ts';
import { advanceRevision, changeUser, lockFreeUsers, type UserHandle } from '../../tenancy/user-core/index.ts';
import { changeInGroup } from './group-uploads.ts';

const service = await startTestService({ role: 'api' });
after(() => service.stop());
const { services } = service.running;
const tenant = await readTenant();

async function readTenant() {
  const { id } = await createUser(service.api());
  const [row] = await services.db.query<{ accountId: never; environment: never }>(
    'select account_id as "accountId", environment from users where id = $1',
    [id],
  );
  assert.ok(row);
  return row;
}

async function createUsers(count: number): Promise<UserId[]> {
  const users = Array.from({ length: count }, async () => (await createUser(service.api())).id as UserId);
  return Promise.all(users);
}

/** A database of its own has groups of its own. */
function countTransactions() {
  const counted = { begun: 0 };
  const db: Database = {
    ...services.db,
    transaction(work) {
      counted.begun += 1;
      return services.db.transaction(work);
    },
  };
  return { db, counted };
}

const advance = async (tx: Transaction, user: UserHandle | null) => {
  assert.ok(user);
  await advanceRevision(tx, user);
  return user.userId;
};

async function readRevisions(ids: readonly UserId[]): Promise<number[]> {
  const rows = await services.db.query<{ id: UserId; revision: number }>(
    'select id, data_revision::integer as revision from users where id = any($1::uuid[])',
    [ids],
  );
  return ids.map((id) => rows.find((row) => row.id === id)?.revision ?? -1);
}

describe('changeInGroup', () => {
  it('stores changes of several users in one transaction', async () => {
    const ids = await createUsers(3);
    const before = await readRevisions(ids);
    const { db, counted } = countTransactions();
    const results = await Promise.all(
      ids.map((userId) => changeInGroup({ ...services, db }, { tenant, userId, run: advance })),
    );
    assert.deepEqual(results, ids);
    assert.equal(counted.begun, 1);
    assert.deepEqual(
      await readRevisions(ids),
      before.map((revision) => revision + 1),
    );
  });

  it('does not wait for a user that somebody else has locked', async () => {
    const [locked, free] = (await createUsers(2)) as [UserId, UserId];
    const { db } = countTransactions();
    const changeOf = (userId: UserId) => changeInGroup({ ...services, db }, { tenant, userId, run: advance });
    let waiting: Promise<UserId> | undefined;
    await changeUser(services, tenant, locked, async () => {
      waiting = changeOf(locked);
      assert.equal(await changeOf(free), free);
    });
    assert.equal(await waiting, locked);
  });

  it('stores the changes of the others if one fails', async () => {
    const ids = await createUsers(3);
    const before = await readRevisions(ids);
    const { db } = countTransactions();
    const [first, second, third] = await Promise.allSettled(
      ids.map((userId, index) =>
        changeInGroup(
          { ...services, db },
          {
            tenant,
            userId,
            async run(tx, user) {
              await advance(tx, user);
              if (index === 1) throw new AppError('upload_conflict');
            },
          },
        ),
      ),
    );
    assert.deepEqual([first?.status, second?.status, third?.status], ['fulfilled', 'rejected', 'fulfilled']);
    assert.deepEqual(
      await readRevisions(ids),
      before.map((revision, index) => revision + (index === 1 ? 0 : 1)),
    );
  });

  it('stores the changes alone if a statement of the group ran into a lock', async () => {
    const ids = await createUsers(2);
    const before = await readRevisions(ids);
    const { db } = countTransactions();
    const lost = Object.assign(new Error('deadlock detected'), { code: '40P01' });
    const run = async (tx: Transaction, user: UserHandle | null) => {
      const userId = await advance(tx, user);
      if (userId === ids[0] && !hasFailed) {
        hasFailed = true;
        throw asUnavailable(lost);
      }
    };
    let hasFailed = false;
    await Promise.all(ids.map((userId) => changeInGroup({ ...services, db }, { tenant, userId, run })));
    assert.deepEqual(
      await readRevisions(ids),
      before.map((revision) => revision + 1),
    );
  });

  it('throws overloaded if too many changes wait', async () => {
    const [userId] = (await createUsers(1)) as [UserId];
    const db: Database = { ...services.db, transaction: async () => Promise.reject(new Error('not reached')) };
    const changes = Array.from({ length: 402 }, () =>
      changeInGroup({ ...services, db }, { tenant, userId, run: advance }),
    );
    const codes = (await Promise.allSettled(changes)).map((one) =>
      one.status === 'rejected' ? one.reason.code : null,
    );
    assert.deepEqual([codes.indexOf('overloaded'), codes.filter((code) => code === 'overloaded').length], [400, 2]);
  });

  it('gives null for a user of another tenant', async () => {
    const [userId] = (await createUsers(1)) as [UserId];
    const { db } = countTransactions();
    const other = { ...tenant, environment: 'sandbox' as const };
    assert.equal(
      await changeInGroup({ ...services, db }, { tenant: other, userId, run: async (_, user) => user }),
      null,
    );
  });

  it('gives null for a user of another tenant beside the same user of its own tenant', async () => {
    const [userId] = (await createUsers(1)) as [UserId];
    const other = { ...tenant, environment: 'sandbox' as const };
    const users = [tenant, other].map((asked) => ({ tenant: asked, userId }));
    const locked = await services.db.transaction((tx) => lockFreeUsers(tx, users));
    assert.deepEqual(
      locked.map((user) => user?.userId ?? null),
      [userId, null],
    );
  });
});
