// Every rule of an upload.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEvery } from '../../../../test/support/assert-every.ts';
import { SCOPES } from '../../../domain/metrics/categories.ts';
import { METRICS } from '../../../domain/metrics/index.ts';
import type { MetricId } from '../../../domain/metrics/metric.ts';
import { fromCatalogUnit } from '../../../domain/metrics/units.ts';
import { samplesOfColumns } from '../../../domain/packed/sample-blocks/index.ts';
import { AppError, type Issue } from '../../../platform/errors.ts';
import { parseUpload, type UploadContext } from './parse-upload.ts';
import { MAX_NAMED_REJECTS } from './reject.ts';

type Fields = Record<string, unknown>;

const context: UploadContext = {
  scopes: SCOPES,
  sources: ['apple_health', 'health_connect'],
  now: new Date('2026-02-01T12:00:00Z'),
};

const sample: Fields = { metric: 'heart_rate', start: '2026-01-31T07:05:09+01:00', value: 61 };
const daily: Fields = { date: '2026-01-31', metric: 'steps', value: 8_000 };
const sleep: Fields = { start: '2026-01-30T22:00:00Z', end: '2026-01-31T06:00:00Z' };
const workout: Fields = { sport_type: 'running', start: '2026-01-31T08:00:00Z', end: '2026-01-31T09:00:00Z' };

function body(lists: Fields, rest: Fields = {}): Fields {
  return { upload_id: '01A94C3E-0000-7000-8000-000000000000', source: { provider: 'apple_health' }, ...lists, ...rest };
}

const parse = (lists: Fields, given: Partial<UploadContext> = {}) => parseUpload(body(lists), { ...context, ...given });

/** The only reject of an upload with one item, as `path error`. */
function faultOf(lists: Fields, given?: Partial<UploadContext>): string {
  const { rejected, rejectedCount } = parse(lists, given);
  assert.equal(rejectedCount, rejected.length);
  assert.equal(rejected.length, 1, JSON.stringify(rejected));
  return `${rejected[0]?.path} ${rejected[0]?.error}`;
}

const sampleFault = (change: Fields, given?: Partial<UploadContext>) =>
  faultOf({ samples: [{ ...sample, ...change }] }, given);
const dailyFault = (change: Fields, given?: Partial<UploadContext>) =>
  faultOf({ daily: [{ ...daily, ...change }] }, given);
const sleepFault = (change: Fields, given?: Partial<UploadContext>) =>
  faultOf({ sleep: [{ ...sleep, ...change }] }, given);
const workoutFault = (change: Fields, given?: Partial<UploadContext>) =>
  faultOf({ workouts: [{ ...workout, ...change }] }, given);
const deletedFault = (item: unknown, given?: Partial<UploadContext>) => faultOf({ deleted: [item] }, given);

function issuesOf(json: unknown): string[] {
  try {
    parseUpload(json, context);
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'invalid_body');
    return (error.details.issues as Issue[]).map(({ path, message }) => `${path}: ${message}`);
  }
  return [];
}

const samplesOf = (lists: Fields, metric: string) => {
  const columns = parse(lists).upload.samples.get(metric as MetricId);
  return columns ? samplesOfColumns(columns) : [];
};
const sleepOf = (change: Fields, given: Partial<UploadContext> = {}, source = 'apple_health') => {
  const result = parseUpload(body({ sleep: [{ ...sleep, ...change }] }, { source: { provider: source } }), {
    ...context,
    ...given,
  });
  assert.deepEqual(result.rejected, []);
  return result.upload.sleep[0];
};

describe('an upload', () => {
  it('must be an object', () => {
    for (const json of [null, 1, 'x', [], true]) assert.deepEqual(issuesOf(json), [': must be an object']);
  });

  it('requires upload_id and source', () => {
    assert.deepEqual(issuesOf({}), ['upload_id: is required', 'source: is required']);
  });

  it('requires a UUID as upload_id and stores it in lower case', () => {
    assert.deepEqual(issuesOf(body({}, { upload_id: 'x' })), ['upload_id: must be a UUID']);
    assert.deepEqual(issuesOf(body({}, { upload_id: 5 })), ['upload_id: must be a UUID']);
    assert.equal(parse({}).upload.uploadId, '01a94c3e-0000-7000-8000-000000000000');
  });

  it('rejects unknown fields', () => {
    assert.deepEqual(issuesOf(body({ sampels: [] })), ['sampels: unknown field']);
    assert.deepEqual(issuesOf(JSON.parse(`{"__proto__": 1, ${JSON.stringify(body({})).slice(1)}`)), [
      '__proto__: unknown field',
    ]);
  });

  it('lists at most twenty unknown fields with shortened names', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${'x'.repeat(1_000)}${index}`, 1]));
    const issues = issuesOf(body(many));
    assert.equal(issues.length, 20);
    assertEvery(issues, (issue) => issue.length < 100);
  });

  it('must come from one of the sources of the session', () => {
    assert.match(
      issuesOf(body({}, { source: { provider: 'samsung_health' } }))[0] ?? '',
      /^source\.provider: must be one of/,
    );
    assert.match(issuesOf(body({}, { source: { provider: 7 } }))[0] ?? '', /^source\.provider: must be a string/);
    assert.deepEqual(issuesOf(body({}, { source: {} })), ['source.provider: is required']);
    assert.deepEqual(issuesOf(body({}, { source: [] })), ['source: must be an object']);
  });

  it('rejects unknown or mistyped fields of the source', () => {
    const source = {
      provider: 'apple_health',
      id: 5,
      name: 'x'.repeat(256),
      model: '',
      device_class: 'hat',
      os_version: 'a\0',
      foo: 1,
    };
    assert.deepEqual(
      issuesOf(body({}, { source })).map((issue) => issue.split(':')[0]),
      ['source.foo', 'source.id', 'source.name', 'source.model', 'source.device_class', 'source.os_version'],
    );
    assert.equal(issuesOf(body({}, { source })).at(-1), 'source.os_version: must not contain the character NUL');
  });

  it('keeps the attributes of its source, null if absent', () => {
    const source = { provider: 'apple_health', id: 'A', name: 'Watch', model: null, device_class: 'wrist' };
    assert.deepEqual(parseUpload(body({}, { source }), context).upload.source, {
      provider: 'apple_health',
      id: 'A',
      name: 'Watch',
      model: null,
      deviceClass: 'wrist',
      osVersion: null,
    });
  });

  it('rejects lists that are not arrays', () => {
    for (const name of ['samples', 'daily', 'sleep', 'workouts', 'deleted']) {
      for (const list of [{}, 'x', 0, null])
        assert.deepEqual(issuesOf(body({ [name]: list })), [`${name}: must be an array`]);
    }
  });

  it('accepts an IANA time zone or none', () => {
    for (const timezone of ['Mars/Base', '+02:00', 5, '', 'x'.repeat(10_000_000)])
      assert.match(issuesOf(body({}, { timezone }))[0] ?? '', /^timezone: must be an IANA/);
    assert.equal(parseUpload(body({}, { timezone: 'Europe/Berlin' }), context).upload.timezone, 'Europe/Berlin');
    assert.equal(parseUpload(body({}, { timezone: null }), context).upload.timezone, null);
  });

  it('may be empty', () => {
    const { upload, rejectedCount } = parse({});
    assert.equal(
      upload.samples.size + upload.daily.length + upload.sleep.length + upload.workouts.length + rejectedCount,
      0,
    );
  });
});

describe('a sample', () => {
  it('keeps its value, unit, offset and method; without an end it is an instant', () => {
    const lists = { samples: [{ ...sample, unit: 'count/min', recording_method: 'active' }] };
    assert.deepEqual(samplesOf(lists, 'heart_rate'), [
      {
        start: Date.parse('2026-01-31T06:05:09Z'),
        end: Date.parse('2026-01-31T06:05:09Z'),
        value: 61,
        unit: 'count/min',
        offsetMinutes: 60,
        method: 'active',
      },
    ]);
    assert.equal(parse(lists).upload.samples.get('heart_rate' as MetricId)?.ends, null);
  });

  it('defaults to the catalog unit and an unknown method if they are absent or null', () => {
    const [kept] = samplesOf({ samples: [{ ...sample, unit: null, recording_method: null, end: null }] }, 'heart_rate');
    assert.deepEqual([kept?.unit, kept?.method], ['bpm', 'unknown']);
  });

  it('must be an object without unknown fields', () => {
    for (const item of [null, 5, 'x', [], true]) assert.equal(faultOf({ samples: [item] }), 'samples[0] invalid_type');
    assert.equal(sampleFault({ vlaue: 1 }), 'samples[0].vlaue unknown_field');
    assert.equal(
      faultOf({ samples: [JSON.parse('{"metric":"steps","__proto__":{"value":1}}')] }),
      'samples[0].__proto__ unknown_field',
    );
  });

  it('requires metric, start and value', () => {
    assert.equal(faultOf({ samples: [{}] }), 'samples[0].metric missing_field');
    assert.equal(sampleFault({ metric: null }), 'samples[0].metric missing_field');
    assert.equal(sampleFault({ start: undefined }), 'samples[0].start missing_field');
    assert.equal(sampleFault({ value: null }), 'samples[0].value missing_field');
  });

  it('rejects fields of the wrong type', () => {
    assert.equal(sampleFault({ metric: 5 }), 'samples[0].metric invalid_type');
    assert.equal(sampleFault({ start: 1_700_000_000 }), 'samples[0].start invalid_type');
    assert.equal(sampleFault({ end: {} }), 'samples[0].end invalid_type');
    assert.equal(sampleFault({ value: '61' }), 'samples[0].value invalid_type');
    assert.equal(sampleFault({ value: true }), 'samples[0].value invalid_type');
    assert.equal(sampleFault({ unit: 1 }), 'samples[0].unit invalid_type');
    assert.equal(sampleFault({ recording_method: [] }), 'samples[0].recording_method invalid_type');
  });

  it('rejects an unknown metric', () => {
    for (const metric of ['heart-rate', '', 'constructor', '__proto__', 'Heart_Rate', 'x'.repeat(10_000_000)])
      assert.equal(sampleFault({ metric }), 'samples[0].metric unknown_metric');
  });

  it('rejects a metric that the service computes', () => {
    for (const { id, consolidation } of METRICS) {
      if (consolidation.by === 'derived' || consolidation.by === 'computed')
        assert.equal(sampleFault({ metric: id }), 'samples[0].metric computed_metric', id);
    }
  });

  it('accepts every other metric, including those without a timeseries', () => {
    const others = METRICS.filter(({ consolidation: { by } }) => by === 'own' || by === 'group');
    const samples = others.map(({ id, limits }) => ({ ...sample, metric: id, value: limits.max }));
    const { upload, rejectedCount } = parse({ samples });
    assert.equal(rejectedCount, 0);
    assert.equal(upload.samples.size, others.length);
  });

  it('rejects a metric outside the scopes of the session', () => {
    assert.equal(sampleFault({}, { scopes: ['activity'] }), 'samples[0].metric out_of_scope');
    assert.equal(
      sampleFault({ metric: 'stress_score' }, { scopes: ['activity'] }),
      'samples[0].metric computed_metric',
    );
  });

  it('accepts rem_sleep as an alias of REM', () => {
    const samples = ['rem_sleep', 'REM'].map((metric, index) => ({
      metric,
      start: `2026-01-31T0${index}:00:00Z`,
      value: 30,
    }));
    assert.equal(samplesOf({ samples }, 'REM').length, 2);
  });

  it('rejects a unit that the metric does not accept', () => {
    for (const unit of ['%', 'BPM', '', 'x'.repeat(10_000_000)])
      assert.equal(sampleFault({ unit }), 'samples[0].unit invalid_unit');
    const [reject] = parse({ samples: [{ ...sample, unit: 'kg' }] }).rejected;
    assert.equal(reject?.message, 'heart_rate does not accept the unit "kg"; use one of bpm, count/min, Hz');
  });

  it('accepts the Greek letter instead of the micro sign', () => {
    const samples = [{ ...sample, metric: 'vitamin_a', value: 800, unit: '\u03bcg' }];
    assert.equal(samplesOf({ samples }, 'vitamin_a')[0]?.unit, '\u00b5g');
  });

  it('must be within the physical range in any unit', () => {
    assert.equal(sampleFault({ value: 19.9 }), 'samples[0].value out_of_range');
    assert.equal(sampleFault({ value: 251 }), 'samples[0].value out_of_range');
    assert.equal(sampleFault({ value: 61, unit: 'Hz' }), 'samples[0].value out_of_range');
    const oxygen = { ...sample, metric: 'blood_oxygen' };
    assert.equal(faultOf({ samples: [{ ...oxygen, value: 97, unit: 'fraction' }] }), 'samples[0].value out_of_range');
    assert.equal(faultOf({ samples: [{ ...oxygen, value: 0.97 }] }), 'samples[0].value out_of_range');
    assert.equal(
      samplesOf({ samples: [{ ...oxygen, value: 0.97, unit: 'fraction' }] }, 'blood_oxygen')[0]?.value,
      0.97,
    );
    assert.equal(samplesOf({ samples: [{ ...oxygen, value: 1, unit: 'fraction' }] }, 'blood_oxygen')[0]?.value, 1);
  });

  it('accepts the bounds of the range of every metric and unit, and nothing outside', () => {
    for (const { id, unit, limits, acceptedUnits, consolidation } of METRICS) {
      if (consolidation.by === 'derived' || consolidation.by === 'computed') continue;
      for (const sent of acceptedUnits) {
        const max = fromCatalogUnit(id, limits.max, unit, sent);
        const item = { ...sample, metric: id, unit: sent };
        const { rejected } = parse({
          samples: [
            { ...item, value: max },
            { ...item, value: max + Math.abs(max) * 1e-9 },
          ],
        });
        assert.deepEqual(
          rejected.map(({ path }) => path),
          ['samples[1].value'],
          `${id} ${sent}`,
        );
      }
    }
  });

  it('of a sum or duration must be between 0 and the daily limit', () => {
    const steps = (value: number) => ({ ...sample, metric: 'steps', value });
    assert.equal(samplesOf({ samples: [steps(0)] }, 'steps')[0]?.value, 0);
    assert.equal(faultOf({ samples: [steps(-1)] }), 'samples[0].value out_of_range');
    assert.equal(faultOf({ samples: [steps(200_001)] }), 'samples[0].value out_of_range');
  });

  it('must be a finite number', () => {
    const samples = JSON.parse('[{"metric":"steps","start":"2026-01-31T00:00:00Z","value":1e999}]');
    assert.equal(faultOf({ samples }), 'samples[0].value out_of_range');
    assert.equal(sampleFault({ value: Number.NaN }), 'samples[0].value out_of_range');
  });

  it('requires existing times with Z or an offset', () => {
    for (const start of ['2026-01-31T07:05:09', '2026-02-30T00:00:00Z', 'yesterday', '', 'x'.repeat(10_000_000)])
      assert.equal(sampleFault({ start }), 'samples[0].start invalid_timestamp');
    assert.equal(sampleFault({ end: '2026-01-31' }), 'samples[0].end invalid_timestamp');
  });

  it('may end at its start but not before it', () => {
    assert.equal(sampleFault({ end: '2026-01-31T07:05:08+01:00' }), 'samples[0].end end_before_start');
    assert.equal(parse({ samples: [{ ...sample, end: sample.start }] }).rejectedCount, 0);
  });

  it('must not be more than 24 hours in the future', () => {
    assert.equal(parse({ samples: [{ ...sample, start: '2026-02-02T12:00:00Z' }] }).rejectedCount, 0);
    assert.equal(sampleFault({ start: '2026-02-02T12:00:00.001Z' }), 'samples[0].start in_future');
    assert.equal(sampleFault({ start: '2026-02-02T12:00:00-01:00' }), 'samples[0].start in_future');
    assert.equal(sampleFault({ end: '2026-02-03T00:00:00Z' }), 'samples[0].end in_future');
  });

  it('must not be before 1900', () => {
    assert.equal(sampleFault({ start: '1899-12-31T23:59:59Z' }), 'samples[0].start out_of_range');
  });

  it('must not last longer than 31 days', () => {
    assert.equal(
      sampleFault({ start: '2025-12-01T00:00:00Z', end: '2026-01-01T00:00:01Z' }),
      'samples[0].end too_long',
    );
    assert.equal(
      parse({ samples: [{ ...sample, start: '2025-12-01T00:00:00Z', end: '2026-01-01T00:00:00Z' }] }).rejectedCount,
      0,
    );
  });

  it('rejects an unknown recording method', () => {
    assert.equal(sampleFault({ recording_method: 'guessed' }), 'samples[0].recording_method invalid_choice');
  });

  it('with the metric and start of an earlier one replaces it, or is a duplicate if equal', () => {
    const at = (second: number, value: number) => ({ ...sample, start: `2026-01-31T00:00:0${second}Z`, value });
    const samples = [at(3, 50), at(1, 60), at(3, 70), at(2, 80), at(1, 60)];
    const { duplicates, replaced } = parse({ samples }).upload;
    assert.deepEqual([duplicates, replaced], [1, 1]);
    assert.deepEqual(
      samplesOf({ samples }, 'heart_rate').map(({ value }) => value),
      [60, 80, 70],
    );
  });

  it('is sorted by start together with its unit, offset, method and end', () => {
    const samples = [
      {
        ...sample,
        start: '2026-01-31T09:00:00+01:00',
        end: '2026-01-31T08:00:30Z',
        value: 1,
        unit: 'Hz',
        recording_method: 'manual',
      },
      { ...sample, start: '2026-01-31T07:00:00-05:30', value: 70 },
      { ...sample, start: '2026-01-31T07:00:00Z', value: 60, unit: 'bpm', recording_method: 'automatic' },
    ];
    assert.deepEqual(
      samplesOf({ samples }, 'heart_rate').map((kept) => [
        kept.value,
        kept.unit,
        kept.offsetMinutes,
        kept.method,
        kept.end - kept.start,
      ]),
      [
        [60, 'bpm', 0, 'automatic', 0],
        [1, 'Hz', 60, 'manual', 30_000],
        [70, 'bpm', -330, 'unknown', 0],
      ],
    );
  });

  it('does not affect valid samples if it is rejected', () => {
    const samples = [sample, { ...sample, value: 0 }, { ...sample, start: '2026-01-31T07:05:10Z' }];
    const { upload, rejected } = parse({ samples });
    assert.deepEqual(
      rejected.map(({ path }) => path),
      ['samples[1].value'],
    );
    assert.equal(upload.samples.get('heart_rate' as MetricId)?.starts.length, 2);
  });
});

describe('a daily value', () => {
  it('is rejected with a reason when the same day has less time in bed than asleep', () => {
    const inBed = { ...daily, metric: 'time_in_bed', value: 400 };
    const asleep = { ...daily, metric: 'asleep', value: 7, unit: 'h' };
    assert.equal(faultOf({ daily: [inBed, asleep] }), 'daily[1].value contradictory_totals');
    assert.equal(faultOf({ daily: [asleep, inBed] }), 'daily[1].value contradictory_totals');
    const consistent = [{ ...asleep, date: '2026-01-30' }, inBed, { ...asleep, value: 6.5 }];
    assert.equal(parse({ daily: consistent }).upload.daily.length, 3);
  });

  it('keeps its value, unit and method', () => {
    const { upload } = parse({
      daily: [{ ...daily, metric: 'distance', value: 5, unit: 'mi', recording_method: 'manual' }, daily],
    });
    assert.deepEqual(upload.daily, [
      { date: '2026-01-31', metric: 'distance', value: 5, unit: 'mi', method: 'manual' },
      { date: '2026-01-31', metric: 'steps', value: 8_000, unit: 'count', method: 'unknown' },
    ]);
  });

  it('follows the rules of samples', () => {
    assert.equal(faultOf({ daily: [5] }), 'daily[0] invalid_type');
    assert.equal(dailyFault({ start: 'x' }), 'daily[0].start unknown_field');
    assert.equal(dailyFault({ metric: 'stepps' }), 'daily[0].metric unknown_metric');
    assert.equal(dailyFault({ metric: undefined }), 'daily[0].metric missing_field');
    assert.equal(dailyFault({ metric: 'sleep_score' }), 'daily[0].metric computed_metric');
    assert.equal(dailyFault({ metric: 'total_calories' }), 'daily[0].metric computed_metric');
    assert.equal(dailyFault({}, { scopes: ['sleep'] }), 'daily[0].metric out_of_scope');
    assert.equal(dailyFault({ value: undefined }), 'daily[0].value missing_field');
    assert.equal(dailyFault({ value: '1' }), 'daily[0].value invalid_type');
    assert.equal(dailyFault({ value: -1 }), 'daily[0].value out_of_range');
    assert.equal(dailyFault({ value: Number.POSITIVE_INFINITY }), 'daily[0].value out_of_range');
    assert.equal(dailyFault({ unit: 'km' }), 'daily[0].unit invalid_unit');
    assert.equal(dailyFault({ unit: 5 }), 'daily[0].unit invalid_type');
    assert.equal(dailyFault({ recording_method: 'x' }), 'daily[0].recording_method invalid_choice');
  });

  it('requires an existing date', () => {
    for (const date of ['2026-02-29', '2026-1-1', '2026-01-31T00:00:00Z', 'x'.repeat(10_000_000)])
      assert.equal(dailyFault({ date }), 'daily[0].date invalid_date');
    assert.equal(dailyFault({ date: 20_260_131 }), 'daily[0].date invalid_type');
    assert.equal(dailyFault({ date: null }), 'daily[0].date missing_field');
  });

  it('may be of tomorrow in UTC but not of the day after', () => {
    assert.equal(parse({ daily: [{ ...daily, date: '2026-02-02' }] }).rejectedCount, 0);
    assert.equal(dailyFault({ date: '2026-02-03' }), 'daily[0].date in_future');
    assert.equal(dailyFault({ date: '1899-12-31' }), 'daily[0].date out_of_range');
  });

  it('with the metric and date of an earlier one replaces it, also under an alias', () => {
    const { upload } = parse({
      daily: [{ ...daily, metric: 'REM', value: 1 }, daily, { ...daily, metric: 'rem_sleep', value: 2 }],
    });
    assert.deepEqual(
      upload.daily.map(({ metric, value }) => [metric, value]),
      [
        ['REM', 2],
        ['steps', 8_000],
      ],
    );
    assert.deepEqual([upload.duplicates, upload.replaced], [0, 1]);
  });
});

describe('a sleep', () => {
  const stage = (name: string, start: string, end: string) => ({
    stage: name,
    start: `2026-01-${start}:00Z`,
    end: `2026-01-${end}:00Z`,
  });

  it('requires a start and an end', () => {
    assert.equal(sleepFault({ start: undefined }), 'sleep[0].start missing_field');
    assert.equal(sleepFault({ end: null }), 'sleep[0].end missing_field');
    assert.equal(sleepFault({ end: 5 }), 'sleep[0].end invalid_type');
    assert.equal(sleepFault({ start: '2026-01-30T22:00:00' }), 'sleep[0].start invalid_timestamp');
    assert.equal(sleepFault({ foo: 1 }), 'sleep[0].foo unknown_field');
    assert.equal(faultOf({ sleep: ['x'] }), 'sleep[0] invalid_type');
  });

  it('requires the scope sleep', () => assert.equal(sleepFault({}, { scopes: ['vitals'] }), 'sleep[0] out_of_scope'));

  it('is identified by its id, or else by its start', () => {
    assert.equal(sleepOf({ id: 'abc' })?.key, 'abc');
    assert.equal(sleepOf({})?.key, '2026-01-30T22:00:00Z');
    assert.equal(sleepFault({ id: '' }), 'sleep[0].id invalid_text');
    assert.equal(sleepFault({ id: 5 }), 'sleep[0].id invalid_type');
    assert.equal(sleepFault({ id: 'x'.repeat(10_000_000) }), 'sleep[0].id invalid_text');
    assert.equal(sleepFault({ id: 'a\0b' }), 'sleep[0].id invalid_text');
    assert.equal(sleepFault({ id: '\ud800' }), 'sleep[0].id invalid_text');
  });

  it('replaces an earlier one with the same identity', () => {
    const { upload } = parse({
      sleep: [
        { ...sleep, heart_rate: 50 },
        { ...sleep, id: 'b' },
        { ...sleep, heart_rate: 55 },
      ],
    });
    assert.deepEqual(
      upload.sleep.map(({ key, heartRate }) => [key, heartRate]),
      [
        ['2026-01-30T22:00:00Z', 55],
        ['b', null],
      ],
    );
    assert.deepEqual([upload.duplicates, upload.replaced], [0, 1]);
  });

  it('must end after its start and last at most 24 hours', () => {
    assert.equal(sleepFault({ end: sleep.start }), 'sleep[0].end end_before_start');
    assert.equal(sleepFault({ start: '2026-01-29T14:00:00Z' }), 'sleep[0].end too_long');
    assert.equal(sleepFault({ start: '2026-01-30T05:59:59Z' }), 'sleep[0].end too_long');
    assert.ok(sleepOf({ start: '2026-01-30T06:00:00Z' }));
  });

  it('must not be more than 24 hours in the future', () => {
    assert.equal(sleepFault({ start: '2026-02-02T11:00:00Z', end: '2026-02-02T19:00:00Z' }), 'sleep[0].end in_future');
  });

  it('keeps the offset of its start', () =>
    assert.equal(sleepOf({ start: '2026-01-30T23:00:00+01:00' })?.offsetMinutes, 60));

  it('defaults to SDNN for Apple and RMSSD for others', () => {
    assert.equal(sleepOf({})?.hrvKind, 'sdnn');
    assert.equal(sleepOf({}, {}, 'health_connect')?.hrvKind, 'rmssd');
    assert.equal(sleepOf({ hrv_kind: 'rmssd' })?.hrvKind, 'rmssd');
    assert.equal(sleepFault({ hrv_kind: 'pnn50' }), 'sleep[0].hrv_kind invalid_choice');
  });

  it('rejects vitals outside their physical ranges', () => {
    const vitals = {
      heart_rate: 50,
      respiratory_rate: 14,
      blood_oxygen: 97,
      body_temperature: 36,
      skin_temperature: 34,
      wrist_temperature: 35,
    };
    const kept = sleepOf({ ...vitals, heart_rate_variability: 60 });
    assert.deepEqual(
      [
        kept?.heartRate,
        kept?.heartRateVariability,
        kept?.respiratoryRate,
        kept?.bloodOxygen,
        kept?.bodyTemperature,
        kept?.skinTemperature,
        kept?.wristTemperature,
      ],
      [50, 60, 14, 97, 36, 34, 35],
    );
    for (const field of [...Object.keys(vitals), 'heart_rate_variability']) {
      assert.equal(sleepFault({ [field]: 1_000 }), `sleep[0].${field} out_of_range`);
      assert.equal(sleepFault({ [field]: '1' }), `sleep[0].${field} invalid_type`);
    }
    assert.equal(sleepOf({ heart_rate_variability: 450 })?.heartRateVariability, 450);
    assert.equal(
      sleepFault({ heart_rate_variability: 450, hrv_kind: 'rmssd' }),
      'sleep[0].heart_rate_variability out_of_range',
    );
  });

  it('computes missing minutes from the stages', () => {
    const stages = [
      stage('awake', '30T22:00', '30T22:15'),
      stage('light', '30T22:15', '31T02:00'),
      stage('deep', '31T02:00', '31T03:00'),
      stage('rem', '31T03:00', '31T05:00'),
    ];
    const kept = sleepOf({ stages, deep_minutes: 50 });
    assert.deepEqual(
      [
        kept?.asleepMinutes,
        kept?.deepMinutes,
        kept?.lightMinutes,
        kept?.remMinutes,
        kept?.awakeMinutes,
        kept?.inBedMinutes,
      ],
      [405, 50, 225, 120, 15, 480],
    );
    assert.equal(kept?.stages?.length, 4);
  });

  it('has no minutes without stages, and no deep sleep of 0 if stages only distinguish asleep and awake', () => {
    const bare = sleepOf({ stages: [] });
    assert.deepEqual(
      [bare?.stages, bare?.asleepMinutes, bare?.awakeMinutes, bare?.inBedMinutes],
      [null, null, null, null],
    );
    const plain = sleepOf({ stages: [stage('asleep', '30T23:00', '31T05:00')] });
    assert.deepEqual(
      [plain?.asleepMinutes, plain?.deepMinutes, plain?.awakeMinutes, plain?.inBedMinutes],
      [360, null, null, 480],
    );
    const bed = sleepOf({ stages: [stage('in_bed', '30T22:00', '31T05:00')] });
    assert.deepEqual([bed?.asleepMinutes, bed?.awakeMinutes, bed?.inBedMinutes], [null, null, 420]);
  });

  it('counts time in bed once, whether it is sent around the stages or between them', () => {
    const around = [stage('in_bed', '30T22:00', '31T05:30'), stage('asleep', '30T23:00', '31T05:00')];
    const between = [
      stage('in_bed', '30T22:00', '30T23:00'),
      stage('asleep', '30T23:00', '31T05:00'),
      stage('in_bed', '31T05:00', '31T05:30'),
    ];
    assert.equal(sleepOf({ stages: around })?.inBedMinutes, 450);
    assert.equal(sleepOf({ stages: between })?.inBedMinutes, 450);
  });

  it('counts no minute twice if stages overlap or repeat', () => {
    const deep = stage('deep', '31T01:00', '31T02:00');
    const light = stage('light', '30T22:00', '31T01:30');
    const minutesOf = (...stages: object[]) => {
      const kept = sleepOf({ stages });
      return [kept?.stages?.length, kept?.asleepMinutes, kept?.lightMinutes, kept?.deepMinutes, kept?.inBedMinutes];
    };
    assert.deepEqual(minutesOf(deep, light), [2, 240, 180, 60, 480]);
    assert.deepEqual(minutesOf(light, deep), [2, 240, 180, 60, 480]);
    assert.deepEqual(minutesOf(light, deep, deep, light), [4, 240, 180, 60, 480]);
    const beds = [stage('in_bed', '30T22:00', '31T02:00'), stage('in_bed', '31T01:00', '31T03:00')];
    assert.deepEqual(minutesOf(...beds), [2, null, null, null, 300]);
  });

  it('has no minutes of a stage that was not reported', () => {
    const kept = sleepOf({ stages: [stage('light', '30T22:00', '31T02:00'), stage('rem', '31T02:00', '31T03:00')] });
    assert.deepEqual(
      [kept?.asleepMinutes, kept?.lightMinutes, kept?.remMinutes, kept?.deepMinutes, kept?.awakeMinutes],
      [300, 240, 60, null, null],
    );
  });

  it('is rejected with a reason when its totals contradict each other', () => {
    const inBed = 'sleep[0].in_bed_minutes contradictory_totals';
    const asleep = 'sleep[0].asleep_minutes contradictory_totals';
    assert.equal(sleepFault({ asleep_minutes: 400, in_bed_minutes: 300 }), inBed);
    assert.equal(sleepFault({ light_minutes: 200, deep_minutes: 150, in_bed_minutes: 300 }), inBed);
    assert.equal(sleepFault({ stages: [stage('asleep', '30T22:00', '31T04:00')], in_bed_minutes: 300 }), inBed);
    assert.equal(sleepFault({ asleep_minutes: 300, light_minutes: 200, rem_minutes: 150 }), asleep);
    assert.equal(sleepFault({ asleep_minutes: 300, deep_minutes: 310 }), asleep);
    for (const rounded of [
      { asleep_minutes: 401, in_bed_minutes: 400 },
      { asleep_minutes: 400, light_minutes: 200.5, deep_minutes: 100.5, rem_minutes: 100.5 },
      { asleep_minutes: 400, awake_minutes: 60, in_bed_minutes: 420 },
    ])
      assert.notEqual(sleepOf(rounded), undefined);
  });

  it('rejects a stage outside of it', () => {
    assert.equal(
      sleepFault({ stages: [stage('deep', '30T21:00', '30T23:00')] }),
      'sleep[0].stages[0] stage_outside_session',
    );
    assert.equal(
      sleepFault({ stages: [stage('deep', '31T05:00', '31T06:01')] }),
      'sleep[0].stages[0] stage_outside_session',
    );
  });

  it('rejects malformed stages', () => {
    const good = stage('deep', '31T01:00', '31T02:00');
    assert.equal(sleepFault({ stages: {} }), 'sleep[0].stages invalid_type');
    assert.equal(sleepFault({ stages: [5] }), 'sleep[0].stages[0] invalid_type');
    assert.equal(sleepFault({ stages: [good, { ...good, foo: 1 }] }), 'sleep[0].stages[1].foo unknown_field');
    assert.equal(sleepFault({ stages: [{ ...good, stage: 'REM' }] }), 'sleep[0].stages[0].stage invalid_choice');
    assert.equal(sleepFault({ stages: [{ ...good, stage: undefined }] }), 'sleep[0].stages[0].stage missing_field');
    assert.equal(sleepFault({ stages: [{ ...good, end: 'x' }] }), 'sleep[0].stages[0].end invalid_timestamp');
    assert.equal(sleepFault({ stages: [{ ...good, end: good.start }] }), 'sleep[0].stages[0].end end_before_start');
    assert.equal(sleepFault({ stages: Array(8_641).fill(good) }), 'sleep[0].stages too_many');
  });

  it('rejects minutes that exceed its length', () => {
    assert.equal(sleepFault({ asleep_minutes: 482 }), 'sleep[0].asleep_minutes out_of_range');
    assert.equal(sleepFault({ awake_minutes: -1 }), 'sleep[0].awake_minutes out_of_range');
    assert.equal(sleepFault({ rem_minutes: '5' }), 'sleep[0].rem_minutes invalid_type');
    assert.equal(sleepFault({ in_bed_minutes: 1_441 }), 'sleep[0].in_bed_minutes out_of_range');
    assert.deepEqual(
      [sleepOf({ asleep_minutes: 481 })?.asleepMinutes, sleepOf({ in_bed_minutes: 600 })?.inBedMinutes],
      [481, 600],
    );
    assert.equal(sleepOf({ awake_minutes: 0 })?.awakeMinutes, 0);
  });
});

describe('a workout', () => {
  it('names the vendor of the app that wrote it; unknown apps have none', () => {
    const recordedBy = (recorded_by: unknown) =>
      parse({ workouts: [{ ...workout, recorded_by }] }).upload.workouts[0]?.recordedBy;
    const garmin = { app: 'com.garmin.android.apps.connectmobile', id: '77' };
    assert.deepEqual(recordedBy(garmin), { vendor: 'garmin', id: '77' });
    assert.deepEqual(recordedBy({ ...garmin, id: null }), { vendor: 'garmin', id: null });
    for (const none of [null, { app: 'com.example.run' }]) assert.equal(recordedBy(none), undefined);
    assert.match(workoutFault({ recorded_by: {} }), /missing_field/);
    assert.match(workoutFault({ recorded_by: { ...garmin, vendor: 'x' } }), /unknown_field/);
    assert.match(workoutFault({ recorded_by: 'garmin' }), /invalid_type/);
  });

  it('accepts a sport in any spelling; an unknown sport becomes other and keeps its name', () => {
    const sportOf = (change: Fields) => {
      const [kept] = parse({ workouts: [{ ...workout, ...change }] }).upload.workouts;
      return [kept?.sportType, kept?.name];
    };
    for (const sent of ['RUNNING', 'Running', 'HKWorkoutActivityTypeRunning', 'EXERCISE_TYPE_RUNNING'])
      assert.deepEqual(sportOf({ sport_type: sent }), ['running', null]);
    assert.deepEqual(sportOf({ sport_type: 'traditionalStrengthTraining', name: 'Legs' }), [
      'strength_training',
      'Legs',
    ]);
    assert.deepEqual(sportOf({ sport_type: 'Quidditch' }), ['other', 'Quidditch']);
    assert.deepEqual(sportOf({ sport_type: 'Quidditch', name: 'The final' }), ['other', 'The final']);
    assert.deepEqual(sportOf({ sport_type: 'other' }), ['other', null]);
  });

  const beat = (time: string, bpm: unknown = 140) => ({ timestamp: `2026-01-31T${time}Z`, bpm });

  it('keeps the reported values, null if absent', () => {
    const item = {
      ...workout,
      id: 'w1',
      name: 'Morning',
      duration_minutes: 55,
      distance_km: 10.5,
      active_calories: 600,
      steps: 0,
      elevation_gain_m: 120,
      heart_rate: { avg_bpm: 150, samples: [beat('08:00:10'), beat('08:00:00', 120)] },
      recording_method: 'active',
    };
    assert.deepEqual(parse({ workouts: [item] }).upload.workouts, [
      {
        key: 'w1',
        sportType: 'running',
        name: 'Morning',
        start: Date.parse('2026-01-31T08:00:00Z'),
        end: Date.parse('2026-01-31T09:00:00Z'),
        offsetMinutes: 0,
        durationMinutes: 55,
        distanceKm: 10.5,
        activeCalories: 600,
        steps: 0,
        elevationGainM: 120,
        avgMets: null,
        weatherTemperatureC: null,
        weatherHumidityPct: null,
        swimmingStrokeCount: null,
        swimmingLapLengthM: null,
        avgHeartRate: 150,
        maxHeartRate: null,
        sourceZones: null,
        heartRateSamples: [
          { time: Date.parse('2026-01-31T08:00:00Z'), bpm: 120 },
          { time: Date.parse('2026-01-31T08:00:10Z'), bpm: 140 },
        ],
        method: 'active',
      },
    ]);
  });

  it('requires a sport, a start and an end', () => {
    assert.equal(workoutFault({ sport_type: undefined }), 'workouts[0].sport_type missing_field');
    assert.equal(workoutFault({ sport_type: 5 }), 'workouts[0].sport_type invalid_type');
    assert.equal(workoutFault({ sport_type: 'x'.repeat(256) }), 'workouts[0].sport_type invalid_text');
    assert.equal(workoutFault({ start: undefined }), 'workouts[0].start missing_field');
    assert.equal(workoutFault({ end: '2026-01-31T09:00' }), 'workouts[0].end invalid_timestamp');
    assert.equal(workoutFault({ distance: 5 }), 'workouts[0].distance unknown_field');
  });

  it('requires the scope activity', () =>
    assert.equal(workoutFault({}, { scopes: ['vitals'] }), 'workouts[0] out_of_scope'));

  it('must end after its start and last at most 7 days', () => {
    assert.equal(workoutFault({ end: workout.start }), 'workouts[0].end end_before_start');
    assert.equal(workoutFault({ start: '2026-01-24T08:59:59Z' }), 'workouts[0].end too_long');
    assert.equal(parse({ workouts: [{ ...workout, start: '2026-01-24T09:00:00Z' }] }).rejectedCount, 0);
  });

  it('rejects a name longer than 255 characters', () => {
    assert.equal(workoutFault({ name: 'x'.repeat(10_000_000) }), 'workouts[0].name invalid_text');
    assert.equal(parse({ workouts: [{ ...workout, name: 'x'.repeat(255) }] }).rejectedCount, 0);
  });

  it('rejects a duration more than a minute longer than the workout', () => {
    assert.equal(workoutFault({ duration_minutes: 61.5 }), 'workouts[0].duration_minutes out_of_range');
    assert.equal(parse({ workouts: [{ ...workout, duration_minutes: 61 }] }).rejectedCount, 0);
  });

  it('rejects values outside physical ranges', () => {
    const wrong: Fields = {
      distance_km: 1_301,
      active_calories: 20_001,
      steps: -1,
      elevation_gain_m: 20_001,
      avg_mets: 26,
      weather_temperature_c: 61,
      weather_humidity_pct: 101,
      swimming_stroke_count: 60_001,
      swimming_lap_length_m: 1_001,
    };
    for (const [field, value] of Object.entries(wrong)) {
      assert.equal(workoutFault({ [field]: value }), `workouts[0].${field} out_of_range`);
      assert.equal(workoutFault({ [field]: '1' }), `workouts[0].${field} invalid_type`);
    }
    const twoDays = { ...workout, start: '2026-01-29T10:00:00Z', distance_km: 1_301 };
    assert.equal(parse({ workouts: [twoDays] }).rejectedCount, 0);
  });

  it('rejects a heart-rate sample outside of it', () => {
    const fault = (...samples: unknown[]) => workoutFault({ heart_rate: { samples } });
    assert.equal(fault(beat('07:59:58')), 'workouts[0].heart_rate.samples[0].timestamp sample_outside_workout');
    assert.equal(
      fault(beat('08:30:00'), beat('09:00:02')),
      'workouts[0].heart_rate.samples[1].timestamp sample_outside_workout',
    );
    assert.equal(parse({ workouts: [{ ...workout, heart_rate: { samples: [beat('09:00:01')] } }] }).rejectedCount, 0);
  });

  it('rejects a malformed heart rate', () => {
    const fault = (heartRate: unknown) => workoutFault({ heart_rate: heartRate });
    assert.equal(fault(140), 'workouts[0].heart_rate invalid_type');
    assert.equal(fault({ avg: 1 }), 'workouts[0].heart_rate.avg unknown_field');
    assert.equal(fault({ avg_bpm: 10 }), 'workouts[0].heart_rate.avg_bpm out_of_range');
    assert.equal(fault({ max_bpm: '180' }), 'workouts[0].heart_rate.max_bpm invalid_type');
    assert.equal(fault({ samples: {} }), 'workouts[0].heart_rate.samples invalid_type');
    assert.equal(fault({ samples: [null] }), 'workouts[0].heart_rate.samples[0] invalid_type');
    assert.equal(fault({ samples: [beat('08:10:00', 0)] }), 'workouts[0].heart_rate.samples[0].bpm out_of_range');
    assert.equal(fault({ samples: [beat('08:10:00', null)] }), 'workouts[0].heart_rate.samples[0].bpm missing_field');
    assert.equal(fault({ samples: [{ bpm: 100 }] }), 'workouts[0].heart_rate.samples[0].timestamp missing_field');
    assert.equal(
      fault({ samples: [{ ...beat('08:10:00'), x: 1 }] }),
      'workouts[0].heart_rate.samples[0].x unknown_field',
    );
  });

  it('keeps the last heart-rate sample of each time', () => {
    const samples = [beat('08:00:10', 100), beat('08:00:05'), beat('08:00:10', 110)];
    const [kept] = parse({ workouts: [{ ...workout, heart_rate: { samples } }] }).upload.workouts;
    assert.deepEqual(
      kept?.heartRateSamples?.map(({ bpm }) => bpm),
      [140, 110],
    );
  });

  it('replaces an earlier one with the same identity', () => {
    const { upload } = parse({ workouts: [workout, { ...workout, sport_type: 'hiking' }] });
    assert.deepEqual(
      upload.workouts.map(({ sportType }) => sportType),
      ['hiking'],
    );
    assert.deepEqual([upload.duplicates, upload.replaced], [0, 1]);
  });
});

describe('a deletion', () => {
  const interval = { kind: 'samples', metric: 'rem_sleep', start: '2026-01-31T00:00:00Z', end: '2026-01-31T00:00:00Z' };

  it('deletes samples of a metric in a closed interval, a sleep, or a workout', () => {
    const { upload, rejected } = parse({
      deleted: [interval, { kind: 'sleep', id: 'a' }, { kind: 'workout', id: 'b' }],
    });
    assert.deepEqual(rejected, []);
    const time = Date.parse('2026-01-31T00:00:00Z');
    assert.deepEqual(upload.deletions, [
      { kind: 'samples', metric: 'REM', start: time, end: time },
      { kind: 'sleep', key: 'a' },
      { kind: 'workout', key: 'b' },
    ]);
  });

  it('rejects an unknown kind', () => {
    assert.equal(deletedFault({}), 'deleted[0].kind missing_field');
    assert.equal(deletedFault({ kind: 'daily' }), 'deleted[0].kind invalid_choice');
    assert.equal(deletedFault({ kind: 1 }), 'deleted[0].kind invalid_type');
    assert.equal(deletedFault(null), 'deleted[0] invalid_type');
  });

  it('requires exactly the fields of its kind', () => {
    assert.equal(deletedFault({ ...interval, id: 'x' }), 'deleted[0].id unknown_field');
    assert.equal(deletedFault({ kind: 'sleep', id: 'x', metric: 'steps' }), 'deleted[0].metric unknown_field');
    assert.equal(deletedFault({ kind: 'sleep', id: 'x', foo: 1 }), 'deleted[0].foo unknown_field');
    assert.equal(deletedFault({ kind: 'workout' }), 'deleted[0].id missing_field');
    assert.equal(deletedFault({ kind: 'workout', id: 'x'.repeat(256) }), 'deleted[0].id invalid_text');
    assert.equal(deletedFault({ ...interval, metric: undefined }), 'deleted[0].metric missing_field');
    assert.equal(deletedFault({ ...interval, start: undefined }), 'deleted[0].start missing_field');
    assert.equal(deletedFault({ ...interval, end: 5 }), 'deleted[0].end invalid_type');
    assert.equal(deletedFault({ ...interval, end: '2026-01-31' }), 'deleted[0].end invalid_timestamp');
  });

  it('checks metric, scope and the order of times', () => {
    assert.equal(deletedFault({ ...interval, metric: 'x' }), 'deleted[0].metric unknown_metric');
    assert.equal(deletedFault({ ...interval, metric: 'sleep_score' }), 'deleted[0].metric computed_metric');
    assert.equal(deletedFault(interval, { scopes: ['vitals'] }), 'deleted[0].metric out_of_scope');
    assert.equal(deletedFault({ kind: 'sleep', id: 'x' }, { scopes: ['vitals'] }), 'deleted[0].kind out_of_scope');
    assert.equal(deletedFault({ kind: 'workout', id: 'x' }, { scopes: ['vitals'] }), 'deleted[0].kind out_of_scope');
    assert.equal(deletedFault({ ...interval, end: '2026-01-30T00:00:00Z' }), 'deleted[0].end end_before_start');
  });

  it('accepts an interval of any length', () => {
    assert.equal(
      parse({ deleted: [{ ...interval, start: '0001-01-01T00:00:00Z', end: '9999-12-31T23:59:59Z' }] }).rejectedCount,
      0,
    );
  });
});

describe('rejects', () => {
  it('are all counted and listed up to a limit', () => {
    const { rejected, rejectedCount } = parse({ samples: Array(500_000).fill({}), daily: [5] });
    assert.equal(rejectedCount, 500_001);
    assert.equal(rejected.length, MAX_NAMED_REJECTS);
    assert.equal(rejected.at(-1)?.path, 'samples[999].metric');
  });

  it('quote client text shortened and without characters that cannot be stored', () => {
    const evil = `\0\ud800"${'x'.repeat(1_000_000)}`;
    const { rejected } = parse({
      samples: [
        { ...sample, metric: evil },
        { ...sample, unit: evil },
        { ...sample, [evil]: 1 },
        { ...sample, recording_method: evil },
      ],
      sleep: [{ ...sleep, hrv_kind: evil }],
      deleted: [{ kind: evil }],
    });
    assert.equal(rejected.length, 6);
    for (const { path, message } of rejected) {
      assert.ok(path.length + message.length < 400);
      assert.ok(!`${path}${message}`.includes('\0') && `${path}${message}`.isWellFormed());
    }
  });
});
