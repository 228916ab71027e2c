// Nights with a break that several devices recorded, through the whole service: always one night, in any order of upload and
// whichever record is canonical for a part, and every value is attributed to its records.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { MINUTE_MS } from '../src/domain/time/durations.ts';
import { assertEvery } from './support/assert-every.ts';
import type { JsonBody } from './support/test-api.ts';
import { createFrozenClock } from './support/test-clock.ts';
import { startPhone } from './support/test-phone.ts';
import { startTestService } from './support/test-service.ts';
import { createUser } from './support/test-users.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-11T20:00:00Z')) });
after(() => service.stop());
const api = service.api();

const RUNS = 20;
const DATE = '2026-03-09';
const RANGE = 'start_date=2026-03-08&end_date=2026-03-10';
/** Minutes after midnight. */
const at = (minutes: number) => new Date(Date.parse('2026-03-09T00:00:00Z') + minutes * MINUTE_MS).toISOString();

const anyDevice = fc.record({
  recorded: fc.constantFrom('both', 'first', 'second', 'whole'),
  hasMinutes: fc.boolean(),
  awake_minutes: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
  heart_rate: fc.option(fc.integer({ min: 45, max: 70 }), { nil: undefined }),
});
const scenario = fc
  .record({
    breaksAt: fc.integer({ min: -60, max: 30 }),
    gap: fc.integer({ min: 20, max: 85 }),
    watchPulse: fc.integer({ min: 45, max: 70 }),
    others: fc.tuple(anyDevice, anyDevice),
    classes: fc.constantFrom(['ring', 'phone'], ['mat', 'ring'], ['phone', 'mat']),
  })
  .chain((drawn) => {
    const uploads = listUploads(drawn);
    return fc.shuffledSubarray(uploads, { minLength: uploads.length }).map((shuffled) => ({ drawn, shuffled }));
  });
type Drawn = {
  readonly breaksAt: number;
  readonly gap: number;
  readonly watchPulse: number;
  readonly others: readonly JsonBody[];
  readonly classes: readonly string[];
};
type Upload = { readonly source: object; readonly sleep: readonly JsonBody[] };

/** The watch has both parts with all stages; the others have generated parts. */
function listUploads({ breaksAt, gap, watchPulse, others, classes }: Drawn): Upload[] {
  const parts: Record<string, [number, number][]> = {
    first: [[-160, breaksAt]],
    second: [[breaksAt + gap, 420]],
    whole: [[-160, 420]],
    both: [
      [-160, breaksAt],
      [breaksAt + gap, 420],
    ],
  };
  const watch = { recorded: 'both', hasMinutes: true, heart_rate: watchPulse };
  return [watch, ...others].flatMap(({ recorded, hasMinutes, awake_minutes, heart_rate }: JsonBody, index) =>
    (parts[recorded] ?? []).map(([from, to]) => {
      const deviceClass = index === 0 ? 'wrist' : classes[index - 1];
      const asleep = to - from - 50 - index;
      const minutes =
        hasMinutes && recorded !== 'whole'
          ? {
              ...{ asleep_minutes: asleep, deep_minutes: 10, rem_minutes: 10, light_minutes: asleep - 20 },
              ...{ awake_minutes, in_bed_minutes: to - from },
            }
          : {};
      const sleep = { id: `${deviceClass} ${from}`, start: at(from), end: at(to), heart_rate, ...minutes };
      return { source: { provider: 'apple_health', id: deviceClass, device_class: deviceClass }, sleep: [sleep] };
    }),
  );
}

async function readAfter(uploads: readonly Upload[]) {
  const { id } = await createUser(api, { timezone: 'UTC' });
  const phone = await startPhone(service, id);
  for (const upload of uploads) assert.deepEqual((await phone.upload(upload)).rejected, []);
  const { data } = (await api.get(`/v1/users/${id}/daily?${RANGE}`, { headers: { 'api-form': '1' } })).body;
  const list = await api.get(`/v1/users/${id}/sleep?from_date=2026-03-08&to_date=2026-03-10&include_sources=true`, {
    headers: { 'api-form': '2' },
  });
  // Ids differ between users.
  const sleeps: JsonBody[] = list.body.data.map(({ id: _, source_detail: __, sources, ...sleep }: JsonBody) => ({
    ...sleep,
    filled: Object.keys(sources).sort(),
  }));
  const daily = new Map<string, number>(data.map((one: JsonBody) => [`${one.metric} ${one.date}`, one.value]));
  return { id, sleeps, daily };
}

async function checkShares(id: string, metric: string, value: number | undefined): Promise<void> {
  const answer = await api.get(`/v1/users/${id}/daily/explain?metric=${metric}&date=${DATE}`, {
    headers: { 'api-form': '2' },
  });
  assert.equal(answer.status, 200, answer.text);
  const { candidates, records, night, value: explained } = answer.body;
  assert.equal(explained ?? undefined, value, metric);
  assert.equal(night.sessions.length, 2);
  if (value === undefined) return;
  const given = candidates.filter(({ contributed }: JsonBody) => contributed !== null);
  const sum = given.reduce((all: number, { contributed }: JsonBody) => all + contributed, 0);
  assert.ok(Math.abs(sum - value) < 0.06 * given.length, `${metric}: ${sum} of ${value} ${JSON.stringify(candidates)}`);
  const devicesOf = (list: JsonBody[]) => [...new Set(list.map(({ device_id }) => device_id))].sort();
  const used = records.filter(({ outcome }: JsonBody) => outcome === 'used');
  assert.deepEqual(devicesOf(used), devicesOf(given), metric);
  for (const { outcome } of records) assert.notEqual(outcome, 'other_sleep', metric);
}

describe('a night with a break, recorded by several devices', () => {
  it('is one night, and each value is from the records that explain names', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ shuffled }) => {
        const { id, sleeps, daily } = await readAfter(shuffled);
        assert.deepEqual(
          sleeps.map(({ date, is_main_sleep }) => [date, is_main_sleep]),
          [
            [DATE, true],
            [DATE, true],
          ],
        );
        const get = (metric: string) => daily.get(`${metric} ${DATE}`);
        assert.equal(get('nap_duration'), undefined);
        assert.deepEqual([get('sleep_start'), get('sleep_end')], [-160, 420]);
        assert.equal(
          get('asleep'),
          sleeps.reduce((sum, { asleep_minutes }) => sum + asleep_minutes, 0),
        );
        assertEvery([...daily.keys()], (key) => !/^(asleep|sleep_start|nap_duration) 2026-03-(08|10)/.test(key));
        for (const { asleep_minutes, awake_minutes, in_bed_minutes, filled } of sleeps)
          if (filled.includes('awake_minutes')) assert.ok(asleep_minutes + awake_minutes <= in_bed_minutes);
        for (const metric of ['asleep', 'time_in_bed', 'time_awake', 'sleep_start', 'sleep_heart_rate'])
          await checkShares(id, metric, get(metric));
        const reversed = await readAfter(shuffled.toReversed());
        assert.deepEqual([reversed.sleeps, reversed.daily], [sleeps, daily], 'the order does not matter');
      }),
      { numRuns: RUNS },
    );
  });
});
