// The simulated Oura, read by the real connector over HTTP.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  lastDates,
  livedOn as livedBy,
  nightAfter,
  seenOn,
  simulatedZone as zone,
} from '../../../test/support/lived-days.ts';
import { listenTo, startWebhookReceiver, webhooksByResource } from '../../../test/support/provider-webhook-receiver.ts';
import { dailyOf, metricsOf, samplesOf } from '../../../test/support/read-pages.ts';
import { connectSimulated, windowOfDays } from '../../../test/support/simulated-connection.ts';
import { connectPerson } from '../../../test/support/simulated-person.ts';
import { startSimulator } from '../../../test/support/start-simulator.ts';
import type { MetricId } from '../../domain/metrics/index.ts';
import { type LivedDay, momentAt, seeWorkoutsWithWatch } from '../../domain/sandbox/index.ts';
import { addDays, type LocalDate } from '../../domain/time/calendar.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import type { WebhookSecrets } from '../../providers/contract.ts';
import { oura } from '../../providers/oura/index.ts';
import type { ProviderRecords } from '../../providers/provider-records.ts';

const { simulator, connection, today, yesterday, isOver, resourceOf, read } = await connectPerson({ after }, oura);
const livedOn = (date: LocalDate) => livedBy('ann', date);
const ringOn = (date: LocalDate) => seenOn('ring', 'ann', date);

describe('the connector reads the simulated data', () => {
  it('nights and naps, over several pages', async () => {
    const pages = await read('sleep');
    assert.ok(pages.length >= 3, `${pages.length} pages`);
    const known = lastDates(today, 30).flatMap((date) => ringOn(date).sleep.filter(isOver));
    const sessions = pages
      .flatMap(({ sleep }) => sleep)
      .filter(({ end }) => end >= zone.dayOf(addDays(today, -29)).start);
    const facts = (sleep: (typeof known)[number]) => [
      sleep.start,
      sleep.end,
      sleep.offsetMinutes,
      sleep.stages,
      sleep.heartRate,
      sleep.heartRateVariability,
      sleep.respiratoryRate,
    ];
    const inOrder = (list: typeof known) => list.toSorted((a, b) => a.start - b.start).map(facts);
    assert.deepEqual(inOrder(sessions), inOrder(known));
    assert.equal(new Set(sessions.map(({ key }) => key)).size, sessions.length);
  });

  it('steps and energy of a day that begins at 4:00', async () => {
    const pages = await read('daily_activity');
    const days = [livedOn(yesterday), livedOn(today)];
    const [from, to] = [momentAt(zone, yesterday, 240), momentAt(zone, today, 240)];
    const sum = (values: (day: LivedDay) => ArrayLike<number>) =>
      days.reduce((total, day) => {
        const inside = Array.from(values(day)).filter((_, minute) => {
          const ms = day.fromMs + minute * MINUTE_MS;
          return ms >= from && ms < to;
        });
        return total + inside.reduce((one, value) => one + value, 0);
      }, 0);
    assert.equal(
      dailyOf(pages, 'steps', yesterday),
      sum(({ steps }) => steps),
    );
    assert.equal(dailyOf(pages, 'active_calories', yesterday), Math.round(sum(({ activeKcal }) => activeKcal)));
    const basal = livedOn(yesterday).person.basalKcal;
    assert.ok(Math.abs((dailyOf(pages, 'resting_energy', yesterday) ?? 0) - basal) <= 1);
  });

  it('workouts', async () => {
    const [page] = await read('workout', 14);
    const lived = lastDates(today, 14).flatMap((date) => seeWorkoutsWithWatch(livedOn(date)).filter(isOver));
    assert.ok(lived.length > 3);
    assert.deepEqual(
      page?.workouts.map((one) => [one.sportType, one.start, one.end, one.distanceKm, one.activeCalories]),
      lived.map((one) => [one.sportType, one.start, one.end, one.distanceKm, one.activeCalories]),
    );
  });

  it('temperature, oxygen, and heart rate at night', async () => {
    const night = ringOn(today).sleep.find(({ key }) => key.startsWith('night'));
    const readiness = await read('daily_readiness');
    const deviation = Math.round(livedOn(today).condition.temperatureDeviationC * 100) / 100;
    assert.equal(dailyOf(readiness, 'sleep_temperature_deviation', today), deviation);
    assert.equal(dailyOf(await read('daily_spo2'), 'sleep_blood_oxygen', today), night?.bloodOxygen);
    const beats = samplesOf(await read('heartrate'), 'heart_rate');
    const ring = ringOn(yesterday).samples.get('heart_rate' as MetricId);
    assert.ok(ring !== undefined && ring.starts.length > 50);
    const reported = new Map(beats.map(({ start, value }): [number, number] => [start, value]));
    const missing = Array.from(ring.starts).filter((start, index) => reported.get(start) !== ring.values[index]);
    assert.deepEqual(missing, []);
  });

  it('every resource has data, and every supported metric arrives', async () => {
    const pages: ProviderRecords[] = [];
    for (const { name } of oura.resources) {
      const some = await read(name);
      assert.ok(
        some.some((page) => page.samples.size + page.daily.length + page.sleep.length + page.workouts.length > 0),
        name,
      );
      pages.push(...some);
    }
    assert.deepEqual(metricsOf(pages), [...oura.metrics].sort());
  });

  it('one document by its id; an unknown id is not found', async () => {
    const [page] = await read('sleep', 3);
    const [first] = page?.sleep ?? [];
    assert.ok(first);
    assert.deepEqual((await connection.readOne(resourceOf('sleep'), first.key)).sleep, [first]);
    const request = resourceOf('sleep').requestOne?.('00000000-0000-4000-8000-000000000000', connection.account);
    assert.ok(request);
    const answer = await connection.ask(request);
    assert.deepEqual([answer.status, answer.body], [404, { detail: 'Document not found.' }]);
  });
});

describe('requests that it rejects', () => {
  const get = (path: string, query: Readonly<Record<string, string>> = {}, by = connection) =>
    by.ask({ origin: 'api', method: 'GET', path: `/v2/usercollection/${path}`, query, as: 'person' });

  it('invalid query parameters', async () => {
    assert.equal((await get('sleep', { start_date: 'yesterday' })).status, 422);
    assert.equal((await get('sleep', { start_date: today, end_date: yesterday })).status, 400);
    assert.equal((await get('sleep', { next_token: 'x' })).status, 400);
    const long = { start_datetime: '2026-01-01T00:00:00Z', end_datetime: '2026-03-01T00:00:00Z' };
    assert.equal((await get('heartrate', long)).status, 400);
  });

  it('a page token of another request', async () => {
    const { body } = await get('sleep', { start_date: addDays(today, -29), end_date: today });
    const { next_token: token } = body as { next_token: string };
    assert.equal(
      (await get('sleep', { start_date: addDays(today, -28), end_date: today, next_token: token })).status,
      400,
    );
  });

  it('a scope that the user has withheld', async () => {
    const form = { decision: 'allow', scope: 'daily' };
    const narrow = await connectSimulated(simulator, oura, form);
    assert.equal((await get('sleep', {}, narrow)).status, 200);
    assert.equal((await get('workout', {}, narrow)).status, 403);
  });

  it('an invalid token', async () => {
    const response = await fetch(`${simulator.url}/oura/v2/usercollection/sleep`, {
      headers: { authorization: 'Bearer x' },
    });
    assert.equal(response.status, 401);
  });

  it('subscriptions without the client, and callbacks that fail the challenge', async () => {
    const url = `${simulator.url}/oura/v2/webhook/subscription`;
    assert.equal((await fetch(url)).status, 401);
    const { createRequest } = rules().subscriptions;
    const silent = createRequest('sleep create', `${simulator.url}/oura/nowhere`, secretsOf(simulator), null);
    assert.equal((await connection.ask(silent)).status, 400);
  });
});

function rules() {
  const { webhook } = oura;
  assert.ok(webhook !== null && webhook.subscriptions !== null);
  return { webhook, subscriptions: webhook.subscriptions };
}

function secretsOf(started: Awaited<ReturnType<typeof startSimulator>>): WebhookSecrets {
  return { ...started.simulator.clientOf('oura'), verificationToken: 'a token of the test', publicKeys: {} };
}

describe('subscriptions and webhooks', async () => {
  const started = await startSimulator();
  const secrets = secretsOf(started);
  const { webhook, subscriptions } = rules();
  const receiver = await startWebhookReceiver(webhook, secrets);
  after(() => Promise.all([started.close(), receiver.close()]));
  const connected = await connectSimulated(started, oura, { decision: 'allow', account: 'ann' });
  const list = async () => subscriptions.readList(await connected.ask(subscriptions.listRequest(null)));

  it('are created after a challenge, listed, renewed and deleted', async () => {
    for (const topic of subscriptions.wanted) {
      const answer = await connected.ask(subscriptions.createRequest(topic, receiver.url, secrets, null));
      assert.equal(answer.status, 201, topic);
    }
    const made = await list();
    assert.deepEqual(made.map(({ topic }) => topic).sort(), [...subscriptions.wanted].sort());
    const [first] = made;
    assert.ok(first?.endsAt && first.callbackUrl === receiver.url);
    started.clock.advance(MINUTE_MS);
    const renewed = await connected.ask(subscriptions.renewRequest?.(first.id) ?? subscriptions.listRequest(null));
    assert.equal(renewed.status, 200);
    const after = (await list()).find(({ id }) => id === first.id);
    assert.equal((after?.endsAt?.getTime() ?? 0) - first.endsAt.getTime(), MINUTE_MS);
    assert.equal((await connected.ask(subscriptions.deleteRequest(first.id, null))).status, 204);
    assert.equal((await connected.ask(subscriptions.deleteRequest(first.id, null))).status, 404);
    assert.equal((await list()).length, subscriptions.wanted.length - 1);
    const again = subscriptions.createRequest(first.topic, receiver.url, secrets, null);
    assert.equal((await connected.ask(again)).status, 201);
  });

  it('send nothing without changes', async () => {
    await started.simulator.tick();
    assert.deepEqual(receiver.webhooks, []);
  });

  it('report the next night in the morning, not before, and verify', async () => {
    const { end } = nightAfter('ann', started.clock.now());
    started.clock.advance(end - started.clock.now().getTime() + 10 * MINUTE_MS);
    await started.simulator.tick();
    assert.deepEqual(webhooksByResource(webhook, receiver).sleep ?? [], []);
    receiver.webhooks.length = 0;
    started.clock.advance(30 * MINUTE_MS);
    assert.ok((await started.simulator.tick()) > 0);
    const [delivered] = webhooksByResource(webhook, receiver).sleep ?? [];
    assert.ok(delivered?.kind === 'changed' && delivered.id !== null);
    assert.equal(delivered.providerUserId, connected.account.providerUserId);
    const { sleep } = await connected.readOne(resourceOf('sleep'), delivered.id);
    assert.ok(Math.abs((sleep[0]?.end ?? 0) - end) < 15 * MINUTE_MS);
    for (const one of receiver.webhooks) {
      assert.equal(webhook.verify(one, secrets, started.clock.now()), 'genuine');
      assert.equal(webhook.verify(one, { ...secrets, clientSecret: 'x' }, started.clock.now()), 'forged');
    }
  });

  it('are sent again after a failed delivery', async () => {
    receiver.webhooks.length = 0;
    receiver.answerWith(500);
    started.clock.advance(2 * HOUR_MS);
    assert.equal(await started.simulator.tick(), 0);
    const first = receiver.webhooks.splice(0).map(({ body }) => body.toString());
    assert.ok(first.length > 0);
    receiver.answerWith(200);
    assert.equal(await started.simulator.tick(), first.length);
    assert.deepEqual(
      receiver.webhooks.map(({ body }) => body.toString()),
      first,
    );
  });

  it('are sent twice by a fault', async () => {
    receiver.webhooks.length = 0;
    const heal = started.fault({ kind: 'duplicate_push', provider: 'oura' });
    started.clock.advance(2 * HOUR_MS);
    const taken = await started.simulator.tick();
    heal();
    assert.equal(receiver.webhooks.length, 2 * taken);
  });

  it('report a late night when it arrives, a changed and a deleted record', async () => {
    const ofSleep = () => listenTo(started, webhook, receiver).reportedOf('sleep');
    await ofSleep();
    await connected.refresh(); // a day has passed
    const nights = async () =>
      (await connected.read(resourceOf('sleep'), windowOfDays(started.clock.now(), 2))).flatMap(({ sleep }) => sleep);
    const before = (await nights()).at(-1);
    assert.ok(before);
    const healLate = started.fault({ kind: 'late_night', provider: 'oura', account: 'ann' });
    assert.deepEqual(
      (await ofSleep()).map(({ kind }) => kind),
      ['deleted', 'reconcile'],
      'the night, and the documents derived from it',
    );
    assert.ok(!(await nights()).some(({ key }) => key === before.key));
    healLate();
    assert.deepEqual(
      (await ofSleep()).map(({ kind }) => kind),
      ['changed'],
    );
    assert.deepEqual((await nights()).at(-1), before);

    const healChanged = started.fault({ kind: 'changed_record', provider: 'oura' });
    assert.deepEqual(
      (await ofSleep()).map(({ kind }) => kind),
      ['changed'],
    );
    const changed = (await nights()).at(-1);
    assert.equal(changed?.key, before.key);
    assert.equal(changed?.heartRate, (before.heartRate ?? 0) + 3);
    assert.ok((changed?.deepMinutes ?? 0) < (before.deepMinutes ?? 0));
    healChanged();

    const healDeleted = started.fault({ kind: 'deleted_record', provider: 'oura' });
    const gone = await ofSleep();
    assert.ok(gone[0]?.kind === 'deleted' && gone[0].id === before.key);
    assert.ok(!(await nights()).some(({ key }) => key === before.key));
    healDeleted();
  });

  it('report a workout changed by a fault', async () => {
    const workouts = async () =>
      (await connected.read(resourceOf('workout'), windowOfDays(started.clock.now(), 14))).flatMap(
        (page) => page.workouts,
      );
    const before = (await workouts()).at(-1);
    const heal = started.fault({ kind: 'changed_record', provider: 'oura', record: 'workout' });
    const after = (await workouts()).at(-1);
    heal();
    assert.equal(after?.key, before?.key);
    assert.equal(after?.activeCalories, Math.round((before?.activeCalories ?? 0) * 1.1));
  });
});
