// Nights that several devices recorded, through the whole service: records with less data, of any rank and in any order, never
// remove a value of the night, and the result does not depend on the order.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { MINUTE_MS } from '../src/domain/time/durations.ts';
import type { JsonBody } from './support/test-api.ts';
import { createFrozenClock } from './support/test-clock.ts';
import { startPhone } from './support/test-phone.ts';
import { startTestService } from './support/test-service.ts';
import { createUser } from './support/test-users.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-11T20:00:00Z')) });
after(() => service.stop());
const api = service.api();

const RUNS = 25;
/** Minutes after 18:00 on the evening before, so that some nights end before midnight and their duplicates after it. */
const at = (minutes: number) => new Date(Date.parse('2026-03-08T18:00:00Z') + minutes * MINUTE_MS).toISOString();

const vital = fc.option(fc.integer({ min: 45, max: 90 }), { nil: undefined });
/** Each once, so that no two have the same rank. */
const CLASSES = ['ring', 'wrist', 'mat', 'phone', 'app'];
const anyGood = fc.record({
  length: fc.constantFrom(345, 355, 365, 420),
  asleep: fc.integer({ min: 120, max: 300 }),
  isStaged: fc.boolean(),
  heart_rate: vital,
  heart_rate_variability: vital,
});
const anyPoor = fc.record({
  early: fc.integer({ min: -30, max: 60 }),
  late: fc.integer({ min: -30, max: 60 }),
  isInBed: fc.boolean(),
  heart_rate: vital,
});
type Upload = { readonly source: object; readonly sleep: readonly object[] };

const sourceOf = (deviceClass: string) => ({ provider: 'apple_health', id: deviceClass, device_class: deviceClass });

function uploadGood({ length, asleep, isStaged, ...vitals }: JsonBody, source: string): Upload {
  const stages = isStaged
    ? { deep_minutes: 40, rem_minutes: 40, light_minutes: asleep - 80, in_bed_minutes: length }
    : {};
  const sleep = { id: 'good', start: at(0), end: at(length), asleep_minutes: asleep, ...stages, ...vitals };
  return { source: sourceOf(source), sleep: [sleep] };
}

function uploadPoor({ early, late, isInBed, heart_rate }: JsonBody, source: string, length: number): Upload {
  const [start, end] = [at(-early), at(length + late)];
  const stages = isInBed ? { stages: [{ stage: 'in_bed', start, end }] } : {};
  return { source: sourceOf(source), sleep: [{ id: 'poor', start, end, heart_rate, ...stages }] };
}

async function readAfter(uploads: readonly Upload[]): Promise<{ sleep: JsonBody[]; daily: Map<string, number> }> {
  const { id } = await createUser(api, { timezone: 'UTC' });
  const phone = await startPhone(service, id);
  for (const upload of uploads) {
    const { rejected } = await phone.upload(upload);
    assert.deepEqual(rejected, []);
  }
  const range = 'start_date=2026-03-08&end_date=2026-03-10';
  const { data: sleeps } = (await api.get(`/v1/users/${id}/sleep?${range}`)).body;
  const sleep = sleeps.map(({ id: _, source, ...rest }: JsonBody) => ({ ...rest, provider: source.provider }));
  const { data } = (await api.get(`/v1/users/${id}/daily?${range}`)).body;
  return { sleep, daily: new Map(data.map(({ date, metric, value }: JsonBody) => [`${metric} ${date}`, value])) };
}

describe('several records of a night', () => {
  it('lose nothing to records with less data, in any order', async () => {
    const scenario = fc
      .record({
        goods: fc.array(anyGood, { minLength: 1, maxLength: 2 }),
        poors: fc.array(anyPoor, { minLength: 1, maxLength: 2 }),
        classes: fc.shuffledSubarray(CLASSES, { minLength: CLASSES.length }),
      })
      .chain(({ goods, poors, classes }) => {
        const left = [...classes];
        const next = () => left.pop() ?? '';
        const good = goods.map((one) => uploadGood(one, next()));
        const all = [...good, ...poors.map((poor) => uploadPoor(poor, next(), goods[0]?.length ?? 0))];
        return fc.record({ good: fc.constant(good), shuffled: fc.shuffledSubarray(all, { minLength: all.length }) });
      });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ good, shuffled }) => {
        const before = await readAfter(good);
        const results = await readAfter(shuffled);
        assert.ok(before.daily.size > 0 && before.sleep.length === 1);
        for (const [key, value] of before.daily) {
          assert.ok(results.daily.has(key), `${key} went`);
          if (/^(asleep|deep_sleep|light_sleep|REM|time_awake) /.test(key)) assert.equal(results.daily.get(key), value);
        }
        const [night, ...others] = results.sleep;
        assert.equal(others.length, 0);
        for (const [field, value] of Object.entries(before.sleep[0] as JsonBody))
          if (value !== null) assert.notEqual(night?.[field], null, field);
        assert.deepEqual(
          ['start', 'end', 'asleep', 'deep_sleep', 'light_sleep', 'REM'].map((field) => night?.[field]),
          ['start', 'end', 'asleep', 'deep_sleep', 'light_sleep', 'REM'].map((field) => before.sleep[0]?.[field]),
        );
        assert.deepEqual(await readAfter([...shuffled].reverse()), results, 'the order does not matter');
      }),
      { numRuns: RUNS },
    );
  });
});
