// Totals in samples of several hours across midnight, with finer data of other devices: days, timeseries and explain agree.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import { HOUR_MS } from '../../src/domain/time/durations.ts';
import type { JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { IPHONE, RING, startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const service = await startTestService({ clock: createFrozenClock(new Date('2026-03-16T12:00:00Z')) });
after(() => service.stop());
const api = service.api();

const ORIGIN = Date.parse('2026-03-09T00:00:00Z');
const at = (hour: number) => new Date(ORIGIN + hour * HOUR_MS).toISOString();
/** Hours count from the midnight (UTC) that begins 2026-03-09. */
const steps = (hour: number, hours: number, value: number) => ({
  metric: 'steps',
  start: at(hour),
  end: at(hour + hours),
  value,
});
const quarters = (from: number, to: number, value: number) =>
  Array.from({ length: (to - from) * 4 }, (_, quarter) => steps(from + quarter / 4, 0.25, value));

type Upload = {
  readonly source?: object | undefined;
  readonly samples?: readonly object[];
  readonly deleted?: readonly object[];
};
const DATES = ['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12'];

async function createPerson(uploads: readonly Upload[], timezone = 'UTC'): Promise<string> {
  const { id } = await createUser(api, { timezone });
  const phone = await startPhone(service, id);
  for (const upload of uploads) await phone.upload(upload);
  return id;
}

const get = async (path: string, headers: Record<string, string> = {}): Promise<JsonBody> => {
  const answer = await api.get(path, { headers });
  assert.equal(answer.status, 200, answer.text);
  return answer.body;
};
const explain = (id: string, date: string) =>
  get(`/v1/users/${id}/daily/explain?metric=steps&date=${date}`, { 'api-form': '2' });
const readSeries = (id: string, from: string, to: string) =>
  get(`/v1/users/${id}/timeseries?metrics=steps&start_date=${from}&end_date=${to}`);
const sumOf = ({ data }: JsonBody) => data.reduce((total: number, { value }: JsonBody) => total + value, 0);

/** Days have whole steps, their samples do not. */
const ROUNDING = 0.5 + 1e-6;

/** By date, from every read, all of which must agree. */
async function readDays(id: string): Promise<(number | null)[]> {
  const { series } = await get(`/v1/users/${id}/daily?types=steps&from_date=${DATES[0]}&to_date=${DATES.at(-1)}`);
  const values: readonly (number | null)[] = series.steps;
  assert.equal(values.length, DATES.length);
  for (const [index, date] of DATES.entries()) {
    const value = values[index] as number | null;
    assert.equal((await explain(id, date)).value, value);
    const samples = await readSeries(id, date, date);
    assert.equal(samples.data.length > 0, value !== null, `${date}: ${samples.data.length} samples, daily ${value}`);
    const alone = sumOf(samples);
    assert.ok(Math.abs(alone - (value ?? 0)) <= ROUNDING, `${date}: timeseries ${alone}, daily ${value}`);
  }
  const total = values.reduce((sum: number, value) => sum + (value ?? 0), 0);
  const together = sumOf(await readSeries(id, DATES[0] as string, DATES.at(-1) as string));
  assert.ok(Math.abs(together - total) <= ROUNDING * DATES.length, `timeseries ${together}, daily ${total}`);
  return [...values];
}

describe('a sample across midnight with finer data', () => {
  /** 10,000 from noon to noon; the watch counts 9,000 of them, before nine in the evening. */
  const long: Upload = { source: IPHONE, samples: [steps(12, 24, 10_000)] };
  const fine: Upload = { samples: quarters(12, 21, 250) };

  it('200 counts the remainder once, over both days, whatever the order of uploads', async () => {
    for (const uploads of [
      [long, fine],
      [fine, long],
    ]) {
      const id = await createPerson(uploads);
      assert.deepEqual(await readDays(id), [null, 9_200, 800, null, null]);
      const [first, second] = [await explain(id, '2026-03-09'), await explain(id, '2026-03-10')];
      const decisions = [first, second].map(({ candidates }) =>
        candidates
          .find((one: JsonBody) => one.device_class === 'phone')
          .decisions.map(({ reason, ...decision }: JsonBody) => decision),
      );
      const whole = { decision: 'sample_spread', start: '2026-03-09T12:00:00Z', end: '2026-03-10T12:00:00Z' };
      assert.deepEqual(decisions, [
        [{ ...whole, value: 10_000, counted: 200 }],
        [{ ...whole, value: 10_000, counted: 800 }],
      ]);
    }
  });

  it('200 updates both days when the finer data is deleted, and when heart rates show that zeros were measured', async () => {
    const id = await createPerson([long, fine]);
    const phone = await startPhone(service, id);
    const deleted = [{ kind: 'samples', metric: 'steps', start: at(12), end: at(20.9) }];
    await phone.upload({ deleted });
    assert.deepEqual(await readDays(id), [null, 5_000, 5_000, null, null]);
    await phone.upload({ samples: [...quarters(12, 20, 250), ...quarters(22, 36, 0)] });
    assert.deepEqual(await readDays(id), [null, 8_500, 1_500, null, null]);
    const heartRates = Array.from({ length: 14 }, (_, hour) => ({
      metric: 'heart_rate',
      start: at(22.5 + hour),
      value: 60,
    }));
    await phone.upload({ samples: heartRates });
    assert.deepEqual(await readDays(id), [null, 10_000, 0, null, null]);
  });

  it('200 returns a zero if the other day has counted the whole sample', async () => {
    for (const uploads of [
      [long, { samples: quarters(12, 21, 300) }],
      [{ samples: quarters(12, 21, 300) }, long],
    ]) {
      const id = await createPerson(uploads);
      assert.deepEqual(await readDays(id), [null, 10_800, 0, null, null]);
      const { data } = await readSeries(id, '2026-03-10', '2026-03-10');
      assert.deepEqual(
        data.map(({ timestamp, value }: JsonBody) => [timestamp, value]),
        [['2026-03-10T00:00:00Z', 0]],
      );
      const { candidates } = await explain(id, '2026-03-10');
      assert.deepEqual(
        candidates.map((one: JsonBody) => [one.device_class, one.outcome, one.contributed]),
        [['phone', 'used', 0]],
      );
    }
  });
});

describe('samples of any length from three devices in any order', () => {
  const anyZone = fc.constantFrom('UTC', 'America/St_Johns', 'Asia/Kathmandu');
  const anyHour = fc.integer({ min: 0, max: 60 * 12 }).map((fives) => fives / 12);
  const anySample = fc
    .tuple(anyHour, fc.constantFrom(0.25, 0.25, 1, 3, 9, 24, 40), fc.oneof(fc.constant(0), fc.nat(5_000)))
    .map(([hour, hours, value]) => steps(hour, hours, value));
  const anyBeat = anyHour.map((hour) => ({ metric: 'heart_rate', start: at(hour), value: 60 }));
  const anyUpload = fc.record({
    source: fc.constantFrom(undefined, IPHONE, RING),
    samples: fc.array(fc.oneof({ weight: 5, arbitrary: anySample }, { weight: 1, arbitrary: anyBeat }), {
      minLength: 1,
      maxLength: 6,
    }),
  });
  /** Removes samples with equal starts, because the last one sent wins, which would depend on the order. */
  const keepFirst = (uploads: readonly Upload[]): Upload[] => {
    const seen = new Set<string>();
    return uploads.map(({ source, samples = [] }) => ({
      ...(source && { source }),
      samples: samples.filter((sample) => {
        const key = JSON.stringify([source, { ...sample, end: 0, value: 0 }]);
        return !seen.has(key) && seen.add(key);
      }),
    }));
  };

  it('200 with the same days in daily, timeseries and explain', async () => {
    let crossing = 0;
    await fc.assert(
      fc.asyncProperty(anyZone, fc.array(anyUpload, { minLength: 2, maxLength: 5 }), async (zone, drawn) => {
        const uploads = keepFirst(drawn).filter(({ samples = [] }) => samples.length > 0);
        const days = await readDays(await createPerson(uploads, zone));
        const reversed = await readDays(await createPerson(uploads.toReversed(), zone));
        for (const [index, value] of days.entries()) assert.equal(reversed[index], value, `${days} and ${reversed}`);
        if (days.filter((value) => value !== null).length > 1) crossing += 1;
      }),
      { numRuns: 15, endOnFailure: true },
    );
    assert.ok(crossing > 3, 'days that follow each other are drawn');
  });
});
