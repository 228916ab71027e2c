// Deliveries that were planned or attempted while the clock of the service was a day ahead.
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { AccountId } from '../../src/domain/tenancy.ts';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { awaitRounds } from '../support/loop-rounds.ts';
import type { JsonBody } from '../support/test-api.ts';
import { writeEvent } from '../support/test-events.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';
import { startSink } from '../support/webhook-sink.ts';

/** Only the time of day is wrong; a monotonic clock is never set back. */
let nowMs = Date.parse('2026-03-01T12:00:00Z');
const clock: Clock = { now: () => new Date(nowMs), monotonicMs: () => performance.now() };
const service = await startTestService({ clock, environment: { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' } });
const sink = await startSink();
after(async () => {
  await sink.close();
  await service.stop();
});

async function openWebhook(name: string) {
  const account = await createAccount(service);
  const api = service.api(account.live);
  const { id: userId } = await createUser(api);
  sink.answer(`/${name}`, 500);
  const made = await api.post('/v1/webhooks', { url: sink.url(`/${name}`), events: ['*'] });
  assert.equal(made.status, 201, made.text);
  const path = `/v1/webhooks/${made.body.data.id}`;
  const newest = async (): Promise<JsonBody | undefined> => (await api.get(`${path}/deliveries`)).body.data[0];
  return {
    api,
    path,
    newest,
    send: () =>
      writeEvent(service.running.services.db, { accountId: account.id as AccountId, environment: 'live' }, userId),
    attempted: (count: number) =>
      waitUntil(`${count} attempts`, async () => {
        const delivery = await newest();
        return delivery?.attempts.length === count ? delivery : null;
      }),
  };
}

it('are sent when the clock is right again, for the first time and after a failure, and then keep their schedule', async () => {
  const [failed, planned] = [await openWebhook('failed'), await openWebhook('planned')];
  nowMs += DAY_MS;
  await failed.send();
  await failed.attempted(1);
  assert.equal((await planned.api.patch(planned.path, { status: 'disabled' })).status, 200);
  await planned.send();
  await waitUntil('the delivery is planned', async () => (await planned.newest()) !== undefined);
  nowMs -= DAY_MS;
  assert.equal((await planned.api.patch(planned.path, { status: 'active' })).status, 200);
  await Promise.all([failed.attempted(2), planned.attempted(1)]);
  await awaitRounds(service.running, ['dispatcher'], 2);
  assert.deepEqual(
    [(await failed.newest())?.attempts.length, (await planned.newest())?.attempts.length],
    [2, 1],
    'the next attempts wait for their time',
  );
});
