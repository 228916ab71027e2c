// Faults at providers, one after the other, and what a customer sees of each.

import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { CLOUD_PROVIDER_IDS, type CloudProviderId } from '../../src/domain/provider-ids.ts';
import type { Fault } from '../../src/domain/sandbox/simulated-faults.ts';
import { addDays } from '../../src/domain/time/calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/domain/time/durations.ts';
import { findProvider } from '../../src/providers/registry.ts';
import { beginConnecting, readDevice, walkThroughConsent } from '../support/connect-account.ts';
import { type CloudUser, openSandboxClouds } from '../support/sandbox-clouds.ts';
import { nightsSeenBy, stepsSeenBy, workoutsSeenBy } from '../support/simulated-life.ts';
import type { JsonBody } from '../support/test-api.ts';
import { openBrowser } from '../support/test-browser.ts';
import { waitUntil } from '../support/wait-until.ts';

const DAYS = 3;
const clouds = await openSandboxClouds(DAYS);
const { api, service, clock, read } = clouds;
const { db } = service.running.services;
after(() => service.stop());

// Some tests move the clock by days.
const yesterday = () => addDays(clouds.today(), -1);
const firstDate = () => addDays(clouds.today(), 1 - DAYS);
const range = () => `start_date=${firstDate()}&end_date=${clouds.today()}`;

let userIds: string[] = [];
afterEach(async () => {
  // No user is polled during the tests of others.
  for (const id of userIds) assert.equal((await api.delete(`/v1/users/${id}`)).status, 202);
  userIds = [];
  assert.equal((await service.operator().delete('/admin/simulator/faults')).status, 204);
});

async function connect(provider: CloudProviderId): Promise<CloudUser> {
  const userId = await clouds.createUser();
  userIds.push(userId);
  return clouds.connect(userId, provider);
}

async function connectWithHistory(provider: CloudProviderId): Promise<CloudUser> {
  const person = await connect(provider);
  await clouds.awaitHistory(person);
  return person;
}

const syncPath = ({ userId, deviceId }: CloudUser) => `/v1/users/${userId}/devices/${deviceId}/sync`;
const countTasks = async ({ deviceId }: CloudUser) =>
  (await db.query('select 1 from sync_tasks where device_id = $1', [deviceId])).length;

/** Requests a poll; the data arrives later. */
async function sync(person: CloudUser): Promise<void> {
  clock.advance(MINUTE_MS + SECOND_MS); // more than one request per minute counts as one
  assert.equal((await api.post(syncPath(person))).status, 202);
  const isRequested = 'select 1 from synced_devices where device_id = $1 and next_poll_at <= $2';
  const hasBegun = async () => (await db.query(isRequested, [person.deviceId, clock.now()])).length === 0;
  await waitUntil('the poll', hasBegun);
}

const hasHappened = async (kind: Fault['kind']) => {
  const { data } = (await service.operator().get('/admin/simulator/faults')).body;
  return !data.some((fault: JsonBody) => fault.kind === kind);
};

/** Advances to the end of the provider's backoff, if there is one. */
async function passBackoff(...persons: readonly CloudUser[]): Promise<void> {
  const ends = await Promise.all(
    persons.map((person) => waitUntil('the backoff has started', () => readBackoff(person))),
  );
  clock.advance(Math.max(0, ...ends.map((end) => end.getTime() - clock.now().getTime())));
}

async function skipBackoff(person: CloudUser): Promise<void> {
  const end = await readBackoff(person);
  if (end !== null && end > clock.now()) clock.advance(end.getTime() - clock.now().getTime());
}

async function readBackoff({ deviceId }: CloudUser): Promise<Date | null> {
  const [row] = await db.query<{ backoff_until: Date | null }>(
    'select backoff_until from synced_devices where device_id = $1',
    [deviceId],
  );
  return row?.backoff_until ?? null;
}

/** Provider webhooks stored since the start, of one provider or all. */
const countStored = async (provider = ''): Promise<number> => {
  const text = await service.running.services.metrics.render();
  const isMeant = (line: string) =>
    line.startsWith(`tributary_provider_webhooks_total{provider="${provider}`) && line.includes('outcome="stored"');
  return text
    .split('\n')
    .filter(isMeant)
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
};

/** Sync events that contain a night: the backfill has reported the nights before. */
const countReportedNights = async (person: CloudUser): Promise<number> => {
  await waitUntil('the events are published', () => hasPublished(person));
  const events = await clouds.events(person.userId, 'data.updated');
  return events.filter((event) => event.metrics.includes('deep_sleep') && event.to_date === clouds.today()).length;
};

const hasPublished = async ({ userId }: CloudUser) =>
  (await db.query('select 1 from event_outbox where user_id = $1', [userId])).length === 0;

const statusOf = async (person: CloudUser) => (await clouds.device(person)).status;
const countFailures = async ({ userId }: CloudUser) => (await clouds.events(userId, 'device.failed')).length;

async function readNights({ userId }: CloudUser): Promise<JsonBody[]> {
  const { data } = await read(`/v1/users/${userId}/sleep?${range()}`);
  return data;
}

async function readSteps({ userId }: CloudUser): Promise<number | undefined> {
  const { data } = await read(`/v1/users/${userId}/daily?${range()}&metrics=steps`);
  return data.find((row: JsonBody) => row.date === yesterday())?.value;
}

/** A user whose device recorded the last night: once a week its battery is empty. */
async function connectWithNight(provider: CloudProviderId): Promise<CloudUser> {
  for (;;) {
    const person = await connect(provider);
    if (nightsSeenBy(provider, person.account, clouds.today()).length === 0) continue;
    await clouds.awaitHistory(person);
    return person;
  }
}

/** A user with a workout of the last days, which webhooks report. */
async function connectWithWorkout(provider: CloudProviderId): Promise<CloudUser> {
  for (;;) {
    const person = await connect(provider);
    const dates = [yesterday(), clouds.today()];
    if (dates.every((date) => workoutsSeenBy(person.account, date, clock.now()).length === 0)) continue;
    await clouds.awaitHistory(person);
    return person;
  }
}

async function readWorkoutStarts({ userId }: CloudUser): Promise<string[]> {
  const { data } = await read(`/v1/users/${userId}/workouts?${range()}&per_page=100`);
  return data.map((one: JsonBody) => one.start).sort();
}

/** The night that ended today. */
async function readLastNight(person: CloudUser): Promise<JsonBody | null> {
  const [seen] = nightsSeenBy(person.provider, person.account, clouds.today());
  return (await readNights(person)).find((one) => one.start === seen?.start) ?? null;
}

describe('access', () => {
  it('a user who revoked it reconnects to the same device', async () => {
    const userId = await clouds.createUser();
    userIds.push(userId);
    const browser = openBrowser();
    const begun = await beginConnecting(api, userId, 'oura');
    await walkThroughConsent(begun.auth_url, browser);
    const person = { userId, provider: 'oura' as const, deviceId: begun.id, account: '' };
    await clouds.awaitHistory(person);
    const before = await readSteps(person);
    const heal = await clouds.fault({ kind: 'revoked', provider: 'oura' });
    await sync(person);
    await waitUntil('reauthorize', async () => (await statusOf(person)) === 'reauthorize');
    await waitUntil('device.failed', async () => (await countFailures(person)) === 1);
    assert.equal(await readSteps(person), before, 'the data stays');
    const refused = await api.post(syncPath(person));
    assert.deepEqual(
      [refused.status, refused.body.error, refused.body.details],
      [409, 'device_not_syncable', { status: 'reauthorize' }],
    );

    await heal();
    const again = await beginConnecting(api, userId, 'oura');
    assert.equal(again.id, begun.id);
    assert.match((await walkThroughConsent(again.auth_url, browser)).text, /is connected/);
    assert.equal(await statusOf(person), 'active');
    await clouds.awaitHistory(person);
    assert.equal(await readSteps(person), before);
    assert.equal((await read(`/v1/users/${userId}/devices`)).data.length, 1);
  });

  it('the same account a second time is merged into the first device', async () => {
    const userId = await clouds.createUser();
    userIds.push(userId);
    const browser = openBrowser();
    const first = await beginConnecting(api, userId, 'polar');
    await walkThroughConsent(first.auth_url, browser);
    const second = await beginConnecting(api, userId, 'polar');
    assert.notEqual(second.id, first.id);
    await walkThroughConsent(second.auth_url, browser, 'again');
    const merged = await readDevice(api, userId, second.id);
    assert.deepEqual([merged.status, merged.merged_into], ['active', first.id]);
    const person = { userId, provider: 'polar' as const, deviceId: first.id, account: '' };
    await clouds.awaitHistory(person);
    const { data } = await read(`/v1/users/${userId}/sleep?${range()}&include_sources=true`);
    assert.ok(data.length > 0);
    for (const { source } of data) assert.equal(source.device_id, first.id);
  });

  it('a lost refresh response: retried if the provider allows it, reauthorize if the token pair is gone', async () => {
    const [retrying, strict] = [await connectWithHistory('withings'), await connectWithHistory('oura')];
    await clouds.fault({ kind: 'refresh_race', provider: 'withings', times: 1 });
    await clouds.fault({ kind: 'refresh_race', provider: 'oura', times: 1 });
    clock.advance(DAY_MS); // both tokens have expired
    await waitUntil('both are lost', () => hasHappened('refresh_race'));
    await passBackoff(retrying, strict);
    await waitUntil('device.failed', async () => (await countFailures(strict)) === 1);
    assert.equal(await statusOf(strict), 'reauthorize');
    await clouds.awaitRest(retrying);
    assert.deepEqual([await statusOf(retrying), await countFailures(retrying)], ['active', 0]);
  });
});

describe('temporary failures', () => {
  it('429: sends no request until the time that the provider gave, then fetches everything', async () => {
    const person = await connectWithHistory('oura');
    await clouds.fault({ kind: 'rate_limited', provider: 'oura', times: 1 });
    const { last_sync_at: before } = await clouds.device(person);
    await sync(person);
    await waitUntil('the rejected request', () => hasHappened('rate_limited'));
    const backoffUntil = await waitUntil('the backoff has started', () => readBackoff(person));
    assert.ok(backoffUntil.getTime() > clock.now().getTime() + SECOND_MS, 'the header was read');
    assert.ok((await countTasks(person)) > 0);
    assert.equal((await clouds.device(person)).last_sync_at, before);
    await passBackoff(person);
    await clouds.awaitRest(person);
    assert.notEqual((await clouds.device(person)).last_sync_at, before);
    assert.deepEqual([await statusOf(person), await countFailures(person)], ['active', 0]);
  });

  it('5xx for days, also from the token endpoint, never counts as a rejection', async () => {
    const person = await connectWithHistory('oura');
    const heal = [
      await clouds.fault({ kind: 'unavailable', provider: 'oura' }),
      await clouds.fault({ kind: 'unavailable', provider: 'oura', on: 'token' }),
    ];
    await sync(person);
    const readFailures = async () =>
      (
        await db.query<{ failures: number }>('select failures from synced_devices where device_id = $1', [
          person.deviceId,
        ])
      )[0]?.failures ?? 0;
    for (let count = 1; count <= 12; count++) {
      await waitUntil(`failure ${count}`, async () => (await readFailures()) >= count);
      clock.advance(6 * HOUR_MS);
    }
    assert.deepEqual([await statusOf(person), await countFailures(person)], ['active', 0]);
    for (const end of heal) await end();
    // A request from before may fail only now, and back off once more.
    await waitUntil('the sync continues', async () => {
      await skipBackoff(person);
      return (await readFailures()) === 0;
    });
    await clouds.awaitRest(person);
    assert.deepEqual([await statusOf(person), await countFailures(person)], ['active', 0]);
  });

  it('slow: waits for the response', async () => {
    const person = await connectWithHistory('whoop');
    const { last_sync_at: before } = await clouds.device(person);
    await clouds.fault({ kind: 'slow', provider: 'whoop', times: 2, delay_ms: 700 });
    await sync(person);
    await clouds.awaitRest(person);
    assert.ok(await hasHappened('slow'));
    assert.notEqual((await clouds.device(person)).last_sync_at, before);
    assert.deepEqual([await statusOf(person), await countFailures(person)], ['active', 0]);
  });

  it('an incomplete page is fetched again', async () => {
    const come = await clouds.fault({ kind: 'late_night', provider: 'withings' });
    const person = await connectWithNight('withings');
    assert.equal(await readLastNight(person), null);
    await come();
    await clouds.fault({ kind: 'half_page', provider: 'withings', times: 1 });
    await sync(person);
    await waitUntil('the page is cut off', () => hasHappened('half_page'));
    await passBackoff(person);
    await clouds.awaitRest(person);
    const [seen] = nightsSeenBy('withings', person.account, clouds.today());
    assert.equal((await readLastNight(person))?.asleep, seen?.asleepMinutes);
    assert.equal(await readSteps(person), stepsSeenBy('withings', person.account, yesterday()));
    assert.equal(await countFailures(person), 0);
  });

  it('a backfill that was requested before (409) is complete', async () => {
    await clouds.fault({ kind: 'repeated_backfill', provider: 'garmin' });
    const person = await connectWithHistory('garmin');
    const { status, backfill } = await clouds.device(person);
    assert.deepEqual([status, backfill], ['active', { state: 'done', from_date: firstDate() }]);
    assert.deepEqual(await readNights(person), [], 'the provider sends it once');
  });
});

describe('records', () => {
  it('a late night is fetched after its webhook, and scored', async () => {
    const heal = await clouds.fault({ kind: 'late_night', provider: 'oura' });
    const person = await connectWithNight('oura');
    assert.equal(await readLastNight(person), null);
    const readScore = async () => {
      const types = 'types=sleep_score';
      const { data } = await read(`/v1/users/${person.userId}/scores/history?${range()}&${types}`);
      return data.find((score: JsonBody) => score.date === clouds.today())?.value ?? null;
    };
    await waitUntil(
      'scores of the days before',
      async () => (await clouds.events(person.userId, 'score.updated')).length > 0,
    );
    const before = await readScore(); // of a nap, if there was one
    await heal();
    assert.ok((await clouds.push()) > 0);
    await waitUntil('the night', () => readLastNight(person));
    const scored = await waitUntil('its score', async () => {
      const score = await readScore();
      return score !== before ? score : null;
    });
    assert.ok(scored > (before ?? 0));
    const isOfToday = (event: JsonBody) => event.event_type === 'score.updated' && event.to_date === clouds.today();
    await waitUntil('score.updated', async () => (await clouds.events(person.userId)).some(isOfToday));
  });

  it('a night that is pushed twice is stored once, with one event', async () => {
    const heal = await clouds.fault({ kind: 'late_night', provider: 'garmin' });
    const person = await connectWithNight('garmin');
    assert.equal(await readLastNight(person), null);
    await clouds.fault({ kind: 'duplicate_push', provider: 'garmin' });
    const [ofGarmin, ofAll] = [await countStored('garmin'), await countStored()];
    const reportedBefore = await countReportedNights(person);
    await heal();
    const sent = await clouds.push();
    const doubled = (await countStored('garmin')) - ofGarmin;
    assert.ok(doubled > 0);
    assert.equal((await countStored()) - ofAll - doubled / 2, sent, 'the simulator counts each push once');
    await clouds.awaitRest(person);
    const night = (await readLastNight(person)) ?? assert.fail('no night');
    const starts = (await readNights(person)).map(({ start }) => start);
    assert.equal(starts.filter((start) => start === night.start).length, 1);
    assert.equal(new Set(starts).size, starts.length, 'its nap is stored once');
    assert.equal((await countReportedNights(person)) - reportedBefore, 1);
  });

  // COROS reports no stages, and its nights only after the operator enabled them.
  for (const provider of CLOUD_PROVIDER_IDS.filter((id) => id !== 'coros' && findProvider(id)?.hasSleep === true))
    it(`${provider}: a changed night replaces the earlier version`, async () => {
      const person = await connectWithNight(provider);
      const before = (await readLastNight(person)) ?? assert.fail('no night');
      const { length: count } = await readNights(person);
      await clouds.fault({ kind: 'changed_record', provider });
      if (findProvider(provider)?.webhook) assert.ok((await clouds.push()) > 0);
      else await sync(person);
      const after = await waitUntil('the change', async () => {
        const night = await readLastNight(person);
        return night !== null && night.deep_sleep !== before.deep_sleep ? night : null;
      });
      assert.ok(after.deep_sleep < before.deep_sleep);
      assert.equal((await readNights(person)).length, count);
    });

  for (const provider of ['oura', 'whoop', 'google_health'] as const)
    it(`${provider}: a night deleted at the provider is deleted here`, async () => {
      const person = await connectWithNight(provider);
      const { length: before } = await readNights(person);
      await clouds.fault({ kind: 'deleted_record', provider });
      assert.ok((await clouds.push()) > 0);
      await waitUntil('it is gone', async () => (await readLastNight(person)) === null);
      assert.equal((await readNights(person)).length, before - 1);
    });

  it('concept2: a poll deletes a workout that the provider deleted, and no other', async () => {
    const person = await connectWithWorkout('concept2');
    const before = await readWorkoutStarts(person);
    await clouds.fault({ kind: 'deleted_record', provider: 'concept2', record: 'workout' });
    assert.ok((await clouds.push()) > 0);
    await sync(person);
    const after = await waitUntil('it is gone', async () => {
      const starts = await readWorkoutStarts(person);
      return starts.length < before.length ? starts : null;
    });
    assert.deepEqual(after, before.slice(0, -1));
  });
});

it('none of it needed an operator', () => {
  assert.deepEqual(clouds.listAlarms(), []);
});
