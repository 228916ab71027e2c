// Tests how many mails one account can send to one address and in total. Without a mail server there is no limit.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { startMailSink } from '../support/mail-sink.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { INVITATIONS, newAddress } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';

const A_DAY = 20;
const clock = createFrozenClock();
const sink = await startMailSink();
const AN_HOUR = 45;
const service = await startTestService({
  clock,
  environment: { TRIBUTARY_SMTP_URL: sink.url, TRIBUTARY_INVITATIONS_PER_HOUR: String(AN_HOUR) },
});
after(async () => {
  await service.stop();
  await sink.close();
});
const api = service.api((await createAccount(service)).live);
const stranger = service.api((await createAccount(service)).live);

async function inviteAndRevoke(email: string) {
  const answer = await api.post(INVITATIONS, { email });
  if (answer.status === 201) assert.equal((await api.delete(`${INVITATIONS}/${answer.body.id}`)).status, 204);
  return answer;
}

describe('invitations of one address', () => {
  it('429 after twenty within a day, until the first of them is a day old; other addresses are not limited', async () => {
    const email = newAddress();
    assert.equal((await inviteAndRevoke(email)).status, 201);
    clock.advance(MINUTE_MS);
    for (let count = 1; count < A_DAY; count += 1) assert.equal((await inviteAndRevoke(email)).status, 201);
    const refused = await inviteAndRevoke(email.toUpperCase());
    assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited']);
    assert.deepEqual(refused.body.details, { invitations_per_day: A_DAY });
    const waitMs = Number(refused.headers.get('retry-after')) * SECOND_MS;
    assert.equal(waitMs, DAY_MS - MINUTE_MS);
    assert.equal((await inviteAndRevoke(newAddress())).status, 201);
    const elsewhere = await stranger.post(INVITATIONS, { email });
    assert.equal(elsewhere.status, 201, 'the limit reveals nothing to another account');
    clock.advance(waitMs - 1);
    assert.equal((await inviteAndRevoke(email)).status, 429);
    clock.advance(1);
    assert.equal((await inviteAndRevoke(email)).status, 201);
    assert.equal((await inviteAndRevoke(email)).status, 429);
  });

  it('409 while one is pending, however many were sent before', async () => {
    const email = newAddress();
    for (let count = 1; count < A_DAY; count += 1) await inviteAndRevoke(email);
    assert.equal((await api.post(INVITATIONS, { email })).status, 201);
    const answer = await api.post(INVITATIONS, { email });
    assert.deepEqual([answer.status, answer.body.error], [409, 'already_invited']);
  });
});

describe('invitations of one account', () => {
  it('429 after the hourly limit, whoever is invited; nothing of them is stored, and another account is not limited', async () => {
    const own = service.api((await createAccount(service)).live);
    const invite = (email: string) => own.post(INVITATIONS, { email });
    assert.equal((await invite(newAddress())).status, 201);
    clock.advance(MINUTE_MS);
    const answers = await Promise.all(Array.from({ length: AN_HOUR + 5 }, () => invite(newAddress())));
    assert.equal(
      answers.filter(({ status }) => status === 201).length,
      AN_HOUR - 1,
      'the limit holds for parallel calls',
    );
    const waiting = newAddress();
    const refused = await invite(waiting);
    assert.deepEqual([refused.status, refused.body.error], [429, 'rate_limited']);
    assert.deepEqual(refused.body.details, { invitations_per_hour: AN_HOUR });
    const waitMs = Number(refused.headers.get('retry-after')) * SECOND_MS;
    assert.equal(waitMs, HOUR_MS - MINUTE_MS);
    const { db } = service.running.services;
    assert.deepEqual(await db.query('select 1 from roster_people where address = $1', [waiting]), []);
    assert.equal((await stranger.post(INVITATIONS, { email: waiting })).status, 201);
    clock.advance(waitMs - 1);
    assert.equal((await invite(waiting)).status, 429);
    clock.advance(1);
    assert.equal((await invite(waiting)).status, 201);
    assert.equal((await invite(newAddress())).status, 429, 'one expired, so one is allowed');
  });
});
