// Tests the mails that warn owners and developers before an API key expires.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS, DAY_SECONDS } from '../../src/domain/time/durations.ts';
import { mailExpiringKeysJob } from '../../src/features/tenancy/members/index.ts';
import { startMailSink } from '../support/mail-sink.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { createMember } from '../support/test-members.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock(new Date());
const mail = await startMailSink();
const service = await startTestService({ clock, environment: { TRIBUTARY_SMTP_URL: mail.url } });
after(() => service.stop());
after(() => mail.close());
const { services } = service.running;

async function createExpiringKey(days: number, where: TestService = service) {
  const account = await createAccount(where);
  const { body } = await where.operator().get(`/admin/keys?account=${account.name}&environment=live`);
  const key = body.data[0];
  const expiresAt = new Date(clock.now().getTime() + days * DAY_MS);
  await where.running.services.db.query('update api_keys set expires_at = $2 where id = $1', [key.id, expiresAt]);
  return { account, key, expiresAt };
}

const mailsTo = (email: string) => mail.received.filter(({ to }) => to === email);
const queuedMails = async () => {
  const [row] = await services.db.query<{ count: number }>(
    `select count(*)::int as count from graphile_worker.jobs where task_identifier = 'send_member_mail'`,
  );
  return row?.count ?? 0;
};
const sendAll = async () => {
  await Promise.all([mailExpiringKeysJob.run(services, {}), mailExpiringKeysJob.run(services, {})]);
  await waitUntil('all mails are sent', async () => ((await queuedMails()) === 0 ? true : null), 30_000);
};

describe('mails before an API key expires', () => {
  it('go to owners and developers, once 14 days and once 3 days ahead', async () => {
    const { account, key, expiresAt } = await createExpiringKey(14.01);
    const [owner, developer, viewer] = [
      await createMember(service, account.name, 'owner'),
      await createMember(service, account.name, 'developer'),
      await createMember(service, account.name, 'viewer'),
    ];
    const counts = () => [owner, developer, viewer].map(({ email }) => mailsTo(email).length);
    await sendAll();
    assert.deepEqual(counts(), [0, 0, 0]);

    clock.advance(DAY_MS);
    await sendAll();
    assert.deepEqual(counts(), [1, 1, 0]);
    const [first] = mailsTo(owner.email);
    const day = expiresAt.toISOString().slice(0, 10);
    assert.match(first?.headers ?? '', new RegExp(`Subject: .*expires on ${day}`));
    assert.match(first?.text ?? '', new RegExp(`live API key "${key.name}" \\(…${account.live.slice(-4)}\\)`));
    assert.match(first?.text ?? '', /\/dashboard\/live\/keys/);

    clock.advance(7 * DAY_MS);
    await sendAll();
    assert.deepEqual(counts(), [1, 1, 0], 'no mail between the two');
    clock.advance(4 * DAY_MS);
    await sendAll();
    clock.advance(DAY_MS);
    await sendAll();
    assert.deepEqual(counts(), [2, 2, 0]);
  });

  it('concern no key that is replaced, revoked, expired or of a closed account', async () => {
    const replaced = await createExpiringKey(10);
    await service.operator().post('/admin/keys/rotate', { id: replaced.key.id, overlap_seconds: DAY_SECONDS });
    const expired = await createExpiringKey(-1);
    const closed = await createExpiringKey(10);
    const owners = [];
    for (const { account } of [replaced, expired, closed])
      owners.push(await createMember(service, account.name, 'owner'));
    await service.operator().post(`/admin/accounts/${closed.account.name}/close`, {});
    await sendAll();
    assert.deepEqual(
      owners.map(({ email }) => mailsTo(email).length),
      [0, 0, 0],
    );
  });

  it('are kept for later while no mail server is configured', async () => {
    const without = await startTestService({ clock });
    try {
      const { key, account } = await createExpiringKey(10, without);
      await createMember(without, account.name, 'owner');
      await mailExpiringKeysJob.run(without.running.services, {});
      const [row] = await without.running.services.db.query<{ expiry_mailed_days: number | null }>(
        'select expiry_mailed_days from api_keys where id = $1',
        [key.id],
      );
      assert.equal(row?.expiry_mailed_days, null);
    } finally {
      await without.stop();
    }
  });
});
