// Tests which reads share an entry. No loop runs, so all reads of a test are flushed together.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestDatabase } from '../../../../test/support/test-database.ts';
import { createTestUser } from '../../../../test/support/test-samples.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { ObservedRequest } from '../../../platform/http/observed-request.ts';
import { createLogger } from '../../../platform/log.ts';
import type { UserHandle } from '../user-core/index.ts';
import { createAuditTrail } from './audit-trail.ts';

const db = await openTestDatabase({ after });
const trail = createAuditTrail({
  db,
  clock: { now: () => new Date('2026-03-01T12:00:00Z'), monotonicMs: () => 0 },
  log: createLogger('silent'),
  key: () => Buffer.alloc(32, 1),
});
const [ada, grace] = [await createTestUser(db), await createTestUser(db)];
const { tenant } = ada;

function read(resource: string, { userId }: UserHandle, environment: 'live' | 'sandbox' = 'live'): void {
  trail.recordRead({
    id: 'req_1',
    route: `/v1/users/:user_id/${resource}`,
    status: 200,
    caller: { kind: 'api_key', keyId: 'key', tenant: { ...tenant, environment } } as unknown as Caller,
    pathUserId: userId,
    healthDataOf: 'path_user',
  } as unknown as ObservedRequest);
}

/** The users of each waiting entry. */
async function listEntries(resource: string): Promise<{ user: string | null; users?: string[] }[]> {
  await trail.flush();
  return db.query(
    `select user_id as user, entry -> 'users' as users from audit_inbox where entry ->> 'subject' = $1
      order by audit_inbox.id`,
    [resource],
  );
}

describe('reads of several users within a second', () => {
  it('share an entry if a credential reads the same resource', async () => {
    for (const user of [ada, grace, ada]) read('daily', user);
    const [entry, ...others] = await listEntries('daily');
    assert.equal(entry?.user, null);
    assert.deepEqual(entry?.users?.toSorted(), [ada.userId, grace.userId].sort());
    assert.deepEqual(others, []);
  });

  it('have an entry for each environment', async () => {
    read('scores', ada);
    read('scores', grace, 'sandbox');
    const found = await listEntries('scores');
    assert.deepEqual(found.map(({ user }) => user).sort(), [ada.userId, grace.userId].sort());
  });

  it('have an entry for each person, whom only the user names', async () => {
    for (const { userId } of [ada, grace])
      trail.recordOwnRead({ tenant, userId, via: 'portal', requestId: 'req_1' }, 'portal');
    const found = await listEntries('portal');
    assert.deepEqual(found.map(({ user }) => user).sort(), [ada.userId, grace.userId].sort());
  });
});
