// Tests how long the session of a member is accepted, and how its last use is recorded.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Environment } from '../../src/domain/tenancy.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { createAuthenticateMember } from '../../src/features/tenancy/members/index.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { createMember, SESSION_COOKIE, type TestMember } from '../support/test-members.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock();
const service = await startTestService({ clock });
after(() => service.stop());
const { services } = service.running;
const look = createAuthenticateMember(services);
const authenticate = (token: string, environment: Environment = 'live') =>
  look(token, environment, { countAddress: async () => {}, countCaller: async () => {} });

const tokenOf = ({ cookie }: TestMember) => cookie.slice(SESSION_COOKIE.length + 1);

async function lastUseOf(sessionId: string): Promise<number | undefined> {
  const [row] = await services.db.query<{ last_used_at: Date }>(
    'select last_used_at from member_sessions where id = $1',
    [sessionId],
  );
  return row?.last_used_at.getTime();
}

describe('createAuthenticateMember', () => {
  it('returns the member with role, account and confirmation', async () => {
    const member = await createMember(service, 'default', 'developer', { isOperator: true });
    const { sessionId, tenant, ...rest } = await authenticate(tokenOf(member), 'sandbox');
    assert.deepEqual(rest, {
      kind: 'member',
      memberId: member.memberId,
      memberName: 'Test developer',
      role: 'developer',
      isOperator: true,
      billing: 'active',
      defaultForm: 1,
      isConfirmed: true,
      confirmedUntil: new Date(clock.now().getTime() + 10 * MINUTE_MS),
      isClosed: false,
      keyId: null,
    });
    assert.ok(sessionId && tenant.accountId);
    assert.equal(tenant.environment, 'sandbox');
  });

  it('rejects an unknown or malformed token', async () => {
    const { cookie } = await createMember(service, 'default', 'viewer');
    const changed = tokenOf({ cookie } as TestMember).replace(/^./, (first) => (first === '_' ? 'A' : '_'));
    for (const token of ['', 'x', changed, 'A'.repeat(43)])
      await assert.rejects(authenticate(token), { code: 'invalid_token' });
  });

  it('rejects a session that was not used for 12 hours', async () => {
    const token = tokenOf(await createMember(service, 'default', 'viewer'));
    clock.advance(12 * HOUR_MS - SECOND_MS);
    const { sessionId } = await authenticate(token);
    await waitUntil('the use is saved', async () => (await lastUseOf(sessionId)) === clock.now().getTime());
    clock.advance(12 * HOUR_MS - SECOND_MS);
    await authenticate(token);
    await waitUntil('the use is saved', async () => (await lastUseOf(sessionId)) === clock.now().getTime());
    clock.advance(12 * HOUR_MS);
    await assert.rejects(authenticate(token), { code: 'invalid_token' });
  });

  it('rejects a session after 30 days, however often it was used', async () => {
    const token = tokenOf(await createMember(service, 'default', 'viewer'));
    await services.db.query("update member_sessions set last_used_at = last_used_at + interval '30 days'");
    clock.advance(30 * DAY_MS - SECOND_MS);
    await authenticate(token);
    clock.advance(SECOND_MS);
    await assert.rejects(authenticate(token), { code: 'invalid_token' });
  });

  it('rejects a session of a member who no longer belongs to the account', async () => {
    const member = await createMember(service, 'default', 'viewer');
    await services.db.query('delete from account_members where member_id = $1', [member.memberId]);
    await assert.rejects(authenticate(tokenOf(member)), { code: 'invalid_token' });
  });

  it('saves the last use at most once a minute', async () => {
    const token = tokenOf(await createMember(service, 'default', 'viewer'));
    const createdMs = clock.now().getTime();
    clock.advance(MINUTE_MS - SECOND_MS);
    const { sessionId } = await authenticate(token);
    assert.equal(await lastUseOf(sessionId), createdMs);
    clock.advance(SECOND_MS);
    await Promise.all(Array.from({ length: 20 }, () => authenticate(token)));
    await waitUntil('the use is saved', async () => (await lastUseOf(sessionId)) === createdMs + MINUTE_MS);
  });
});
