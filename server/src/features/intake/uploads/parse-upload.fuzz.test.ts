// Properties of any upload: only AppErrors, exact paths, exact numbers, and bounded time.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../../test/support/any-text.ts';
import { assertEvery } from '../../../../test/support/assert-every.ts';
import { runsOf } from '../../../../test/support/property-runs.ts';
import { SCOPES } from '../../../domain/metrics/categories.ts';
import { METRICS } from '../../../domain/metrics/index.ts';
import { encodeBlock, samplesOfColumns, splitIntoBlocks } from '../../../domain/packed/sample-blocks/index.ts';
import { RECORDING_METHODS, SLEEP_STAGES } from '../../../domain/records/records.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import { type ParsedUpload, parseUpload, type UploadContext, type UploadResult } from './parse-upload.ts';
import { REJECT_CODES } from './reject.ts';
import {
  DAILY_FIELDS,
  DELETION_FIELDS,
  HEART_RATE_FIELDS,
  SAMPLE_FIELDS,
  SLEEP_FIELDS,
  STAGE_FIELDS,
  UPLOAD_FIELDS,
  WORKOUT_FIELDS,
} from './schemas.ts';

const BODIES = runsOf(10_000);
/** The same number in both stages, because fewer do not reach every rule. */
const LISTS_OF_ITEMS = 10_000;
const NOW = Date.UTC(2026, 1, 1, 12);
const context: UploadContext = { scopes: SCOPES, sources: ['apple_health', 'health_connect'], now: new Date(NOW) };
const HEAD = { upload_id: '01a94c3e-0000-7000-8000-000000000000', source: { provider: 'health_connect', id: 'w' } };
const LISTS = ['samples', 'daily', 'sleep', 'workouts', 'deleted'] as const;

const SENDABLE = METRICS.filter(({ consolidation: { by } }) => by === 'own' || by === 'group');

/** Values that pass the first checks, so that the fuzzer reaches the deeper ones. */
const WORDS = [
  ...UPLOAD_FIELDS,
  ...SAMPLE_FIELDS,
  ...DAILY_FIELDS,
  ...SLEEP_FIELDS,
  ...STAGE_FIELDS,
  ...WORKOUT_FIELDS,
  ...HEART_RATE_FIELDS,
  ...DELETION_FIELDS,
  ...SLEEP_STAGES,
  ...RECORDING_METHODS,
  'heart_rate',
  'steps',
  'rem_sleep',
  'bpm',
  'sleep',
  'workout',
  'apple_health',
  HEAD.upload_id,
  '2026-01-31',
  '2026-01-31T07:05:09Z',
  '2026-01-31T08:05:09.5+01:00',
  '2030-01-01T00:00:00Z',
  'sleep_score',
  'Europe/Berlin',
  '__proto__',
  'constructor',
  'toString',
];
const word = fc.oneof({ arbitrary: fc.constantFrom(...WORDS), weight: 5 }, anyText());
const { value: anything } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(word, fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.array(fc.tuple(word, tie('value')), { maxLength: 8 }).map((entries) => Object.fromEntries(entries)),
  ),
}));

/** Arbitrary values of a field, often valid ones. */
const anyField = fc.oneof(
  { arbitrary: word, weight: 4 },
  { arbitrary: fc.double(), weight: 2 },
  fc.constant(61),
  anything,
);

const FIELDS = {
  samples: SAMPLE_FIELDS,
  daily: DAILY_FIELDS,
  sleep: SLEEP_FIELDS,
  workouts: WORKOUT_FIELDS,
  deleted: DELETION_FIELDS,
} as const;

function checked(json: unknown): UploadResult | null {
  try {
    return parseUpload(json, context);
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'invalid_body', String(error));
    assert.ok((error.details.issues as unknown[]).length > 0);
    return null;
  }
}

function countKept({ samples, daily, sleep, workouts, deletions, duplicates, replaced }: ParsedUpload): number {
  const sampleCount = samples.values().reduce((sum, { starts }) => sum + starts.length, 0);
  return sampleCount + daily.length + sleep.length + workouts.length + deletions.length + duplicates + replaced;
}

/** Every parsed sample can be stored; sample blocks have the strictest rules. */
function assertStorable({ samples }: ParsedUpload): void {
  for (const columns of samples.values()) for (const part of splitIntoBlocks(columns)) encodeBlock(part.columns);
}

const method = fc.option(fc.constantFrom(...RECORDING_METHODS), { nil: undefined });
const offset = fc.integer({ min: -56, max: 56 }).map((quarters) => quarters * 15);
const past = fc.integer({ min: Date.UTC(1990, 0, 1), max: NOW - 40 * DAY_MS });

function format(ms: number, offsetMinutes: number): string {
  const wall = new Date(ms + offsetMinutes * MINUTE_MS).toISOString().slice(0, -1);
  if (offsetMinutes === 0) return `${wall}Z`;
  const minutes = Math.abs(offsetMinutes);
  const digits = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${wall}${offsetMinutes < 0 ? '-' : '+'}${digits.join(':')}`;
}

const goodSample = fc
  .record({
    metric: fc.constantFrom(...SENDABLE),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    start: past,
    offset,
    method,
  })
  .chain(({ metric, share, start, offset: minutes, method: recording }) =>
    fc.option(fc.integer({ min: 0, max: DAY_MS }), { nil: undefined }).map((length) => {
      const { min, max } = metric.limits;
      const low = metric.kind === 'sum' || metric.kind === 'duration' ? 0 : min;
      return {
        metric: metric.id as string,
        start: format(start, minutes),
        value: Math.min(max, low + share * (max - low)),
        ...(length !== undefined && { end: format(start + length, 0) }),
        ...(recording && { recording_method: recording, unit: metric.unit }),
      };
    }),
  );
const goodDaily = fc.record({ metric: fc.constantFrom(...SENDABLE), start: past }).map(({ metric, start }) => ({
  metric: metric.id as string,
  date: new Date(start).toISOString().slice(0, 10),
  value: metric.limits.max,
}));
const goodSleep = fc
  .record({ start: past, offset, hours: fc.integer({ min: 1, max: 24 }) })
  .map(({ start, offset: minutes, hours }) => ({
    start: format(start, minutes),
    end: format(start + hours * HOUR_MS, 0),
    stages: Array.from({ length: hours }, (_, hour) => ({
      stage: SLEEP_STAGES[hour % SLEEP_STAGES.length],
      start: format(start + hour * HOUR_MS, minutes),
      end: format(start + (hour + 1) * HOUR_MS, 0),
    })),
  }));
const goodWorkout = fc.record({ start: past, offset, beats: fc.nat(20) }).map(({ start, offset: minutes, beats }) => ({
  sport_type: 'running',
  start: format(start, minutes),
  end: format(start + HOUR_MS, 0),
  heart_rate: {
    samples: Array.from({ length: beats }, (_, beat) => ({
      timestamp: format(start + beat * 5_000, 0),
      bpm: 100 + beat,
    })),
  },
}));
const goodDeletion = fc.oneof(
  fc.record({ kind: fc.constantFrom('sleep', 'workout'), id: fc.stringMatching(/^[a-z]{1,20}$/) }),
  past.map((start) => ({ kind: 'samples', metric: 'steps', start: format(start, 0), end: format(start + 1_000, 60) })),
);
const goodUpload = fc.record({
  samples: fc.array(goodSample, { maxLength: 30 }),
  daily: fc.array(goodDaily, { maxLength: 6 }),
  sleep: fc.array(goodSleep, { maxLength: 4 }),
  workouts: fc.array(goodWorkout, { maxLength: 4 }),
  deleted: fc.array(goodDeletion, { maxLength: 4 }),
});

const GOOD: Readonly<Record<(typeof LISTS)[number], fc.Arbitrary<object>>> = {
  samples: goodSample,
  daily: goodDaily,
  sleep: goodSleep,
  workouts: goodWorkout,
  deleted: goodDeletion,
};

/** A valid item with some fields changed, so that every rule is reached; sometimes an arbitrary value. */
function anyItem(good: fc.Arbitrary<object>, fields: ReadonlySet<string>): fc.Arbitrary<unknown> {
  const changes = fc.dictionary(fc.constantFrom(...fields), anyField, { maxKeys: 2, noNullPrototype: true });
  return fc.oneof(
    { arbitrary: fc.tuple(good, changes).map(([item, change]) => ({ ...item, ...change })), weight: 9 },
    { arbitrary: anything, weight: 1 },
  );
}

/** Each change makes a valid item invalid at this field. */
const SPOILERS: readonly { readonly field: string; spoil(item: object): unknown }[] = [
  { field: '', spoil: () => 'no object' },
  { field: '', spoil: () => null },
  { field: '.surprise', spoil: (item) => ({ ...item, surprise: 1 }) },
];
const SAMPLE_SPOILERS: typeof SPOILERS = [
  ...SPOILERS,
  { field: '.value', spoil: (item) => ({ ...item, value: 1e300 }) },
  { field: '.value', spoil: (item) => ({ ...item, value: 'much' }) },
  { field: '.start', spoil: (item) => ({ ...item, start: '2026-02-30T00:00:00Z' }) },
  { field: '.start', spoil: (item) => ({ ...item, start: '2030-01-01T00:00:00Z' }) },
  { field: '.end', spoil: (item) => ({ ...item, end: '1950-01-01T00:00:00Z' }) },
  { field: '.unit', spoil: (item) => ({ ...item, unit: 'parsec' }) },
  { field: '.metric', spoil: (item) => ({ ...item, metric: 'luck' }) },
];

describe('any upload', () => {
  it(`of ${BODIES} arbitrary bodies gives records or an AppError`, () => {
    fc.assert(
      fc.property(anything, (json) => {
        checked(json);
      }),
      { numRuns: BODIES },
    );
  });

  it(`of ${LISTS_OF_ITEMS} lists of arbitrary items gives records or rejects, and loses no item`, () => {
    let kept = 0;
    const codes = new Set<string>();
    const list = fc.oneof(
      ...LISTS.map((name) =>
        fc.tuple(fc.constant(name), fc.array(anyItem(GOOD[name], FIELDS[name]), { maxLength: 3 })),
      ),
    );
    fc.assert(
      fc.property(list, ([name, items]) => {
        const result = checked({ ...HEAD, [name]: items });
        assert.ok(result);
        kept += countKept(result.upload);
        assert.equal(countKept(result.upload) + result.rejectedCount, items.length);
        for (const { error } of result.rejected) codes.add(error);
        assertStorable(result.upload);
      }),
      { numRuns: LISTS_OF_ITEMS },
    );
    assert.ok(kept > LISTS_OF_ITEMS / 10, `only ${kept} got past all rules`);
    assert.ok(codes.size > 12, [...codes].join());
    for (const code of codes) assert.ok(Object.hasOwn(REJECT_CODES, code));
  });

  it('is accepted completely if valid, and each invalid item is listed with its exact path', () => {
    fc.assert(
      fc.property(goodUpload, fc.infiniteStream(fc.nat(1_000)), (good, dice) => {
        const roll = (sides: number) => (dice.next().value as number) % sides;
        const paths: string[] = [];
        const spoiled = LISTS.map((list) => [
          list,
          good[list].map((item, index) => {
            if (roll(3) > 0) return item;
            const spoilers = list === 'samples' ? SAMPLE_SPOILERS : SPOILERS;
            const spoiler = spoilers[roll(spoilers.length)] as (typeof SPOILERS)[number];
            paths.push(`${list}[${index}]${spoiler.field}`);
            return spoiler.spoil(item);
          }),
        ]);
        const whole = parseUpload({ ...HEAD, ...good }, context);
        assert.deepEqual(whole.rejected, []);
        const result = parseUpload({ ...HEAD, ...Object.fromEntries(spoiled) }, context);
        assert.deepEqual(
          result.rejected.map(({ path }) => path),
          paths,
        );
        assert.equal(result.rejectedCount, paths.length);
        const sent = LISTS.reduce((sum, list) => sum + good[list].length, 0);
        assert.equal(countKept(result.upload), sent - paths.length);
      }),
      { numRuns: runsOf(1_000) },
    );
  });

  it('keeps every number exactly, and every time and offset', () => {
    fc.assert(
      fc.property(fc.array(goodSample, { maxLength: 50 }), (samples) => {
        const { upload, rejected } = parseUpload(JSON.parse(JSON.stringify({ ...HEAD, samples })), context);
        assert.deepEqual(rejected, []);
        const last = new Map(samples.map((sample) => [`${sample.metric} ${Date.parse(sample.start)}`, sample]));
        const kept = [...upload.samples].flatMap(([metric, columns]) =>
          samplesOfColumns(columns).map((sample) => ({ metric: metric as string, ...sample })),
        );
        assert.equal(kept.length, last.size);
        assert.equal(kept.length + upload.duplicates + upload.replaced, samples.length);
        for (const { metric, start, end, value, offsetMinutes, method: recording } of kept) {
          const sent = last.get(`${metric} ${start}`);
          assert.ok(sent && Object.is(sent.value, value));
          assert.equal(format(start, offsetMinutes), sent.start);
          assert.equal(end, sent.end === undefined ? start : Date.parse(sent.end));
          assert.equal(recording, sent.recording_method ?? 'unknown');
        }
        for (const { starts } of upload.samples.values())
          assertEvery(starts, (start, index) => index === 0 || start > (starts[index - 1] as number));
      }),
      { numRuns: runsOf(2_000) },
    );
  });

  it('is parsed in bounded time', () => {
    const at = (index: number) => format(NOW - DAY_MS - index * 1_000, (index % 2) * 60);
    const many = runsOf(300_000); // about 20 MB in the long stage
    const hostile: Readonly<Record<string, unknown[]>> = {
      'descending, all traits changing': Array.from({ length: many }, (_, index) => ({
        metric: 'heart_rate',
        start: at(index),
        value: 60,
      })),
      'one moment': Array.from({ length: many }, () => ({ metric: 'heart_rate', start: at(0), value: 60 })),
      'metrics in turn': Array.from({ length: many }, (_, index) => ({
        metric: SENDABLE[index % SENDABLE.length]?.id,
        start: at(index),
        value: 60,
      })),
      'nothing but faults': Array.from({ length: many }, (_, index) => ({
        metric: `m${index}`,
        start: at(index),
        value: 60,
      })),
    };
    for (const [name, samples] of Object.entries(hostile)) {
      const started = process.cpuUsage(); // not the time, which other work on the machine prolongs
      const { upload, rejectedCount } = parseUpload({ ...HEAD, samples }, context);
      const { user } = process.cpuUsage(started);
      assert.equal(countKept(upload) + rejectedCount, many);
      assert.ok(user < 5_000_000, `${name}: ${Math.round(user / 1_000)} ms of CPU`); // detects quadratic steps
    }
  });
});
