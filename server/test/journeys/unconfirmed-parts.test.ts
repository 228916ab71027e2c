// The journeys of providers with unconfirmed parts, in a service whose operator enabled all of them.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CloudProviderId } from '../../src/domain/provider-ids.ts';
import { addDays } from '../../src/domain/time/calendar.ts';
import { MINUTE_MS } from '../../src/domain/time/durations.ts';
import { CLOUD_PROVIDERS } from '../../src/providers/registry.ts';
import { type CloudUser, openSandboxClouds } from '../support/sandbox-clouds.ts';
import { nightsSeenBy, stepsSeenBy, workoutsSeenBy } from '../support/simulated-life.ts';
import type { JsonBody } from '../support/test-api.ts';
import { waitUntil } from '../support/wait-until.ts';

const DAYS = 7;
/** A battery may be empty, and the first night begins before the first day. */
const MIN_DAYS = DAYS - 4;
/** Two parts of Ultrahuman exclude each other. */
const OTHER_KIND = 'ultrahuman.hrv_sdnn';
const PARTS = CLOUD_PROVIDERS.flatMap(({ id, unconfirmed = [] }) => unconfirmed.map(({ part }) => `${id}.${part}`));
const ENABLED = PARTS.filter((name) => name !== OTHER_KIND);

const clouds = await openSandboxClouds(DAYS, { TRIBUTARY_UNCONFIRMED_PARTS: ENABLED.join() });
const { service, api, clock, read } = clouds;
after(() => service.stop());
const [FIRST, YESTERDAY] = [addDays(clouds.today(), 1 - DAYS), addDays(clouds.today(), -1)];
const DATES = Array.from({ length: DAYS }, (_, index) => addDays(FIRST, index));
const RANGE = `start_date=${FIRST}&end_date=${clouds.today()}`;

const words = (text: string) => text.trim().split(/\s+/);
/** What the parts add to the days of each provider that has parts. */
const METRICS: Readonly<Partial<Record<CloudProviderId, readonly string[]>>> = {
  coros: words('steps resting_heart_rate heart_rate_variability_rmssd active_calories sleep_heart_rate'),
  dexcom: words('carbohydrates insulin_delivery'),
  suunto: words('heart_rate_variability_rmssd total_calories sleep_heart_rate_variability'),
  ultrahuman: words('heart_rate_variability_rmssd sleep_heart_rate_variability'),
};

describe('with all parts enabled', { concurrency: true }, () => {
  const providers = CLOUD_PROVIDERS.filter(({ unconfirmed = [] }) => unconfirmed.length > 0).map(({ id }) => id);
  for (const provider of providers)
    it(`${provider} reports what they add`, async () => {
      const person = await connect(provider);
      await checkDays(person, METRICS[provider] ?? assert.fail('list what the parts add'));
      await checkListed(provider);
      if (provider === 'coros') await checkCoros(person);
      if (provider === 'suunto') await checkStepIntervals(person);
    });
});

it('a user who removed the link in the COROS app is asked to connect again', async () => {
  const person = await connect('coros');
  const heal = await clouds.fault({ kind: 'revoked', provider: 'coros' });
  clock.advance(2 * MINUTE_MS); // one request per minute
  assert.equal((await api.post(`/v1/users/${person.userId}/devices/${person.deviceId}/sync`)).status, 202);
  const isAsked = async () => (await clouds.device(person)).status === 'reauthorize';
  await waitUntil('it is asked', isAsked, 30_000);
  await heal();
});

it('the log has no warning or error', () => {
  assert.deepEqual(clouds.listAlarms(), []);
});

async function connect(provider: CloudProviderId): Promise<CloudUser> {
  const userId = await clouds.createUser((seed) => listWorkouts(seed).length > 0);
  const person = await clouds.connect(userId, provider);
  await clouds.awaitHistory(person);
  return person;
}

function listWorkouts(seed: string) {
  return DATES.flatMap((date) => workoutsSeenBy(seed, date, clock.now()));
}

async function checkDays({ userId, deviceId }: CloudUser, metrics: readonly string[]): Promise<void> {
  const { data } = await read(`/v1/users/${userId}/daily?${RANGE}&metrics=${metrics}&include_sources=true`);
  const rows: readonly JsonBody[] = data;
  for (const metric of metrics) {
    const found = rows.filter((row) => row.metric === metric);
    assert.ok(found.length >= MIN_DAYS, `${metric} on ${found.length} days`);
    for (const { source, value } of found) assert.deepEqual([source.device_id, value > 0], [deviceId, true], metric);
  }
}

/** The catalog has the parts as enabled, and their metrics. */
async function checkListed(provider: CloudProviderId): Promise<void> {
  const { data } = await read('/v1/providers');
  const listed: JsonBody = data.find((one: JsonBody) => one.provider === provider);
  for (const { part, enabled } of listed.unconfirmed) assert.equal(enabled, `${provider}.${part}` !== OTHER_KIND, part);
  const unlisted = METRICS[provider]?.filter(
    (metric) => !metric.startsWith('sleep_') && !listed.metrics.includes(metric),
  );
  assert.deepEqual(unlisted, []);
}

/** Days with the true steps, sleeps without stages, and workouts with their energy. */
async function checkCoros({ userId, account }: CloudUser): Promise<void> {
  const path = `/v1/users/${userId}`;
  const { data: days } = await read(`${path}/daily?start_date=${YESTERDAY}&end_date=${YESTERDAY}&metrics=steps`);
  assert.equal(days[0]?.value, stepsSeenBy('coros', account, YESTERDAY));
  const { data: sleeps } = await read(`${path}/sleep?${RANGE}`);
  const seen = DATES.slice(1).flatMap((date) => nightsSeenBy('coros', account, date));
  assert.ok(seen.length > 0);
  for (const { start, end } of seen) {
    const night: JsonBody =
      sleeps.find((one: JsonBody) => one.start === start) ?? assert.fail(`no night from ${start}`);
    assert.deepEqual([night.end, night.deep_sleep, night.time_in_bed > 0], [end, null, true]);
  }
  const { data: workouts } = await read(`${path}/workouts?${RANGE}&per_page=100`);
  assert.deepEqual(
    workouts.map((one: JsonBody) => one.start).sort(),
    listWorkouts(account)
      .map(({ start }) => start)
      .sort(),
  );
  for (const { active_calories } of workouts) assert.ok(active_calories > 0);
}

async function checkStepIntervals({ userId }: CloudUser): Promise<void> {
  const range = `start_date=${YESTERDAY}&end_date=${YESTERDAY}`;
  const { data } = await read(`/v1/users/${userId}/timeseries?metrics=steps&${range}`);
  assert.ok(data.length > 20, `${data.length} intervals`);
}
