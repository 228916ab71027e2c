// The simulated Dexcom, read by the real connector over HTTP.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { samplesOf } from '../../../test/support/read-pages.ts';
import { connectPerson } from '../../../test/support/simulated-person.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import { dexcom } from '../../providers/dexcom/index.ts';

const { read, simulator } = await connectPerson({ after }, dexcom);

describe('the connector reads the simulated data', () => {
  it('a reading every five minutes, the last of them an hour ago', async () => {
    const pages = await read('egvs', 7);
    const numbers = samplesOf(pages, 'blood_glucose');
    const low = samplesOf(pages, 'glucose_time_below_range');
    assert.ok(numbers.length + low.length > 288 * 6, `${numbers.length} readings`);
    const starts = [...numbers, ...low].map(({ start }) => start).sort((a, b) => a - b);
    assert.equal(new Set(starts).size, starts.length);
    for (const [index, start] of starts.entries())
      if (index > 0) assert.equal(start - (starts[index - 1] ?? 0), 5 * MINUTE_MS);

    const age = simulator.clock.now().getTime() - (starts.at(-1) ?? 0);
    assert.ok(age >= HOUR_MS && age < 12 * HOUR_MS, `${age / MINUTE_MS} minutes`); // a phone at night uploads in the morning
    for (const { value, unit } of numbers) assert.ok(value >= 40 && value <= 400 && unit === 'mg/dL');
  });

  it('entries of carbohydrates and insulin', async () => {
    const pages = await read('events', 7);
    const carbs = samplesOf(pages, 'carbohydrates');
    assert.ok(carbs.length > 15, `${carbs.length} entries`);
    assert.equal(samplesOf(pages, 'insulin_delivery').length, carbs.length);
  });
});
