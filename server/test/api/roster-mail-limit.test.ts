// How often one account can write to one address. Only where mail is sent: what is printed fills nobody's mailbox.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startMailSink } from '../support/mail-sink.ts';
import { createFrozenClock, DAY_MS, MINUTE_MS, SECOND_MS } from '../support/test-clock.ts';
import { INVITATIONS, newAddress } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount } from '../support/test-users.ts';

const A_DAY = 20;
const clock = createFrozenClock();
const sink = await startMailSink();
const service = await startTestService({ clock, environment: { TRIBUTARY_SMTP_URL: sink.url } });
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
  it('429 after twenty within a day, until the first of them is a day old; others are not held up', async () => {
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
    assert.equal(elsewhere.status, 201, 'what one account does tells another nothing');
    clock.advance(waitMs - 1);
    assert.equal((await inviteAndRevoke(email)).status, 429);
    clock.advance(1);
    assert.equal((await inviteAndRevoke(email)).status, 201);
    assert.equal((await inviteAndRevoke(email)).status, 429);
  });

  it('409 while one is pending, however many there were', async () => {
    const email = newAddress();
    for (let count = 1; count < A_DAY; count += 1) await inviteAndRevoke(email);
    assert.equal((await api.post(INVITATIONS, { email })).status, 201);
    const answer = await api.post(INVITATIONS, { email });
    assert.deepEqual([answer.status, answer.body.error], [409, 'already_invited']);
  });
});
