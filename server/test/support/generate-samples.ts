// Generators of samples for tests, both realistic and extreme.

import fc from 'fast-check';
import { columnsOfSamples } from '../../src/domain/packed/sample-blocks/index.ts';
import { type EpochMs, RECORDING_METHODS, type Sample } from '../../src/domain/records/records.ts';
import { HOUR_MS } from '../../src/domain/time/durations.ts';

const NOON = Date.UTC(2026, 2, 29, 12);
const CADENCES_MS = [1, 7, 1_000, 10_000, 60_000, 300_000];

const anyDouble = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 0, 1e-300, 5e-324, Number.MAX_VALUE, Number.MIN_SAFE_INTEGER, 2 ** 53, 0.1 + 0.2, 1 / 3),
);
const decimal = fc
  .tuple(fc.integer({ min: -2_000_000, max: 2_000_000 }), fc.integer({ min: 0, max: 6 }))
  .map(([integer, decimals]) => integer / 10 ** decimals || 0);
const wholeNumber = fc.integer({ min: 0, max: 220 });

const value = fc.constantFrom(wholeNumber, decimal, anyDouble, fc.constant(71), fc.maxSafeInteger());
const unit = fc.oneof(
  fc.constantFrom('bpm', 'count/min', '°C', 'µg', ''),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
);
const offset = fc.oneof(fc.constantFrom(0, 60, 120, -570), fc.integer({ min: -1_440, max: 1_440 }));

/** Neighbours agree in most blocks, as in real data; in others everything changes all the time. */
const context = fc.record({ unit, offsetMinutes: offset, method: fc.constantFrom(...RECORDING_METHODS) });

/** In any order, with repeated starts. */
export const samplesArbitrary: fc.Arbitrary<Sample[]> = fc
  .record({
    first: fc.oneof(fc.constant(NOON), fc.integer({ min: -2_000_000_000, max: 4_000_000_000_000 })),
    cadence: fc.constantFrom(...CADENCES_MS),
    value,
    contexts: fc.array(context, { minLength: 1, maxLength: 3 }),
    duration: fc.constantFrom('none', 'constant', 'varying'),
    isRegular: fc.boolean(),
  })
  .chain(({ first, cadence, value, contexts, duration, isRegular }) =>
    fc
      .array(
        fc.record({
          step: isRegular ? fc.constant(1) : fc.integer({ min: 0, max: 400 }),
          value,
          context: fc.nat({ max: contexts.length - 1 }),
          duration: fc.integer({ min: 0, max: HOUR_MS }),
        }),
        { minLength: 1, maxLength: 40 },
      )
      .map((rows) => {
        let start = first;
        return rows.map((row): Sample => {
          start += row.step * cadence;
          const lasts = { none: 0, constant: cadence, varying: row.duration }[duration];
          const picked = contexts[row.context] ?? contexts[0];
          if (picked === undefined) throw new Error('there is at least one context');
          return { start: start as EpochMs, end: (start + lasts) as EpochMs, value: row.value, ...picked };
        });
      }),
  );

export const columnsArbitrary = samplesArbitrary.map(columnsOfSamples);

export function sampleAt(start: number, fields: Partial<Sample> = {}): Sample {
  const time = start as EpochMs;
  return { start: time, end: time, value: 71, unit: 'bpm', offsetMinutes: 60, method: 'automatic', ...fields };
}
