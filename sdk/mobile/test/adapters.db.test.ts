// Each platform type of the catalog goes through each bridge's adapter and through the service's own upload parser, without a reject.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SCOPES } from '../../../server/src/domain/metrics/categories.ts';
import { findMetric, METRICS, type Metric } from '../../../server/src/domain/metrics/index.ts';
import { matchSport, SPORTS } from '../../../server/src/domain/workouts/sports.ts';
import { parseUpload } from '../../../server/src/features/intake/uploads/parse-upload.ts';
import { assertEvery } from '../../../server/test/support/assert-every.ts';
import { mapHealthConnectChanges, mapHealthConnectRecords } from '../src/adapters/health-connect.ts';
import { RECORD_TYPES, UNMAPPED_RECORDS } from '../src/adapters/health-connect-table.ts';
import { mapKingstinct } from '../src/adapters/healthkit.ts';
import { HEALTHKIT_TYPES } from '../src/adapters/healthkit-table.ts';
import { mapReactNativeHealth } from '../src/adapters/react-native-health.ts';
import { HEALTH_METHODS, UNOFFERED_TYPES } from '../src/adapters/react-native-health-table.ts';
import { healthConnectSport, healthKitSport } from '../src/adapters/sport-names.ts';
import type { Changes, Item, Sample } from '../src/upload.ts';

const NOW = new Date('2026-03-02T12:00:00Z');
const START = '2026-03-02T06:00:00.000Z';
const END = '2026-03-02T06:01:00.000Z';
const utc = { offsetMinutes: () => 0 };

/** Sends the changes through the parser of the service; returns its stored samples by metric. */
function upload({ groups = [] }: Changes): Item[] {
  for (const { source, items } of groups) {
    const list = (name: string) => items.filter((item) => item.list === name).map(({ value }) => value);
    const body = {
      upload_id: '0190a000-0000-4000-8000-000000000000',
      source,
      samples: list('samples'),
      sleep: list('sleep'),
      workouts: list('workouts'),
    };
    const { rejected } = parseUpload(structuredClone(body), {
      scopes: SCOPES,
      sources: ['apple_health', 'health_connect'],
      now: NOW,
    });
    assert.deepEqual(rejected, [], JSON.stringify(body));
  }
  return groups.flatMap(({ items }) => items);
}

const firstWorkout = (changes: Changes) =>
  upload(changes).flatMap((item) => (item.list === 'workouts' ? [item.value] : []))[0];

const samplesOf = (items: readonly Item[]): Sample[] =>
  items.flatMap((item) => (item.list === 'samples' ? [item.value] : []));

const revision = (bundleIdentifier = 'com.apple.health.1', productType = 'Watch7,1') => ({
  source: { name: 'Watch', bundleIdentifier },
  productType,
  operatingSystemVersion: '12.1',
});

/** HealthKit's unit for a metric's unit, and what one of ours is in it. */
const HEALTHKIT_UNIT: Record<string, readonly [unit: string, factor: number]> = {
  '%': ['%', 0.01],
  'km/h': ['m/s', 1 / 3.6],
  km: ['m', 1_000],
  bpm: ['count/min', 1],
  rpm: ['count/min', 1],
  'breaths/min': ['count/min', 1],
  'events/h': ['count', 1],
  'kg/m²': ['count', 1],
  'mL/kg/min': ['ml/(kg*min)', 1],
  MET: ['kcal/(kg*hr)', 1],
  '°C': ['degC', 1],
  µS: ['S', 0.000_001],
  dBA: ['dBASPL', 1],
  'mmol/L': ['mmol<180.15588000005408>/L', 1],
  µg: ['mcg', 1],
};

const middle = ({ usual }: Metric) => (usual.min + usual.max) / 2 / 10 + (usual.min * 9) / 10;

describe('@kingstinct/react-native-healthkit', () => {
  it('maps every HealthKit type of the catalog', () => {
    const names = new Set(METRICS.flatMap(({ healthKit }) => (healthKit === null ? [] : [healthKit])));
    names.delete('HKWorkoutType');
    const mapped = new Set(HEALTHKIT_TYPES.map(({ name }) => name));
    const missing = [...names].filter((name) => !mapped.has(name.replace(/^HK\w+?TypeIdentifier/, '')));
    assert.deepEqual(missing, []);
    assert.equal(names.size, mapped.size);
  });

  for (const { name, kind, metric } of HEALTHKIT_TYPES) {
    if (kind === 'sleep') continue;
    it(`maps ${name} to ${metric}`, () => {
      const entry = findMetric(metric) ?? assert.fail(`no metric ${metric}`);
      assert.ok(entry.healthKit?.endsWith(name), `the catalog has ${entry.healthKit}`);
      const base = { uuid: 'u1', startDate: new Date(START), endDate: new Date(END), sourceRevision: revision() };
      const [unit, factor] = HEALTHKIT_UNIT[entry.unit] ?? [entry.unit, 1];
      const value = middle(entry);
      const sample =
        kind === 'quantity' || kind === 'logged'
          ? { ...base, quantityType: `HKQuantityTypeIdentifier${name}`, quantity: value * factor, unit }
          : { ...base, categoryType: `HKCategoryTypeIdentifier${name}`, value: 0 };
      const [sent, ...others] = samplesOf(upload(mapKingstinct({ samples: [sample] }, utc)));
      assert.deepEqual(others, []);
      assert.equal(sent?.metric, metric);
      if (kind === 'duration') assert.deepEqual([sent.value, sent.unit], [60, 's']);
      if (kind === 'event' || kind === 'stand_hour') assert.equal(sent.value, 1);
    });
  }

  it('makes one sleep of the stages of a source, with the ids of all of them', () => {
    const stage = (uuid: string, value: number, from: string, to: string, bundle?: string) => ({
      uuid,
      categoryType: 'HKCategoryTypeIdentifierSleepAnalysis',
      value,
      startDate: `2026-03-02T${from}:00Z`,
      endDate: `2026-03-02T${to}:00Z`,
      sourceRevision: revision(bundle),
      metadata: { HKTimeZone: 'Europe/Berlin' },
    });
    const items = upload(
      mapKingstinct({
        samples: [
          stage('c', 5, '03:00', '04:00'),
          stage('a', 3, '01:00', '02:00'),
          stage('b', 4, '02:00', '03:00'),
          stage('d', 2, '04:00', '04:10'),
          stage('nap', 1, '08:00', '09:00'),
          stage('phone', 0, '01:00', '05:00', 'com.apple.health.2'),
        ],
      }),
    );
    assert.deepEqual(
      items.map(({ ids }) => ids),
      [['a', 'b', 'c', 'd'], ['nap'], ['phone']],
    );
    const [night] = items;
    assert.ok(night?.list === 'sleep');
    assert.deepEqual(
      night.value.stages?.map((one) => one.stage),
      ['light', 'deep', 'rem', 'awake'],
    );
    assert.equal(night.value.start, '2026-03-02T02:00:00.000+01:00');
    assert.equal(night.value.id, 'a');
  });

  it('maps workouts, correlations, manual entries and deletions', () => {
    const base = { uuid: 'w1', startDate: START, endDate: END, sourceRevision: revision() };
    const changes = mapKingstinct(
      {
        workouts: [
          {
            ...base,
            workoutActivityType: 37,
            duration: { unit: 's', quantity: 60 },
            totalDistance: { unit: 'm', quantity: 250 },
            totalEnergyBurned: { unit: 'kcal', quantity: 12 },
            metadata: {
              HKElevationAscended: { unit: 'cm', quantity: 500 },
              HKWeatherTemperature: { unit: 'degF', quantity: 50 },
              HKWeatherHumidity: { unit: '%', quantity: 56 },
            },
          },
        ],
        correlations: [
          {
            ...base,
            objects: [
              {
                ...base,
                uuid: 's1',
                quantityType: 'HKQuantityTypeIdentifierBloodPressureSystolic',
                quantity: 120,
                unit: 'mmHg',
                metadata: { HKWasUserEntered: true },
              },
            ],
          },
        ],
        deletedSamples: [{ uuid: 'gone' }],
      },
      utc,
    );
    assert.deepEqual(changes.deletedIds, ['gone']);
    const items = upload(changes);
    const workout = items.find(({ list }) => list === 'workouts')?.value;
    assert.deepEqual(workout, {
      id: 'w1',
      sport_type: 'running',
      start: START,
      end: END,
      duration_minutes: 1,
      distance_km: 0.25,
      active_calories: 12,
      elevation_gain_m: 5,
      weather_temperature_c: 10,
      weather_humidity_pct: 56,
      recording_method: 'unknown',
    });
    assert.equal(samplesOf(items)[0]?.recording_method, 'manual');
  });

  it('names the app that wrote a workout, and its own id', () => {
    const workoutOf = (bundle: string, metadata: Record<string, unknown>) => {
      const sourceRevision = revision(bundle, 'iPhone17,1');
      const workout = { uuid: 'w1', startDate: START, endDate: END, sourceRevision, workoutActivityType: 37, metadata };
      return firstWorkout(mapKingstinct({ workouts: [workout] }, utc));
    };
    const app = 'com.garmin.connect.mobile';
    assert.deepEqual(workoutOf(app, { HKExternalUUID: '5001968355' })?.recorded_by, { app, id: '5001968355' });
    assert.deepEqual(workoutOf(app, { HKMetadataKeySyncIdentifier: 's1' })?.recorded_by, { app, id: 's1' });
    for (const id of ['', 'x'.repeat(256), 'two words', '\u0000', 7, null])
      assert.deepEqual(workoutOf(app, { HKExternalUUID: id })?.recorded_by, { app });
    assert.equal(workoutOf('com.apple.health.1', { HKExternalUUID: 'u' })?.recorded_by, undefined);
  });

  it('keeps the foods of one meal apart, always at the same times', () => {
    const food = (uuid: string, quantity: number) => ({
      uuid,
      quantityType: 'HKQuantityTypeIdentifierDietaryProtein',
      quantity,
      unit: 'g',
      startDate: START,
      endDate: START,
      sourceRevision: revision('com.example.food'),
    });
    const map = () => samplesOf(upload(mapKingstinct({ samples: [food('x', 5), food('y', 7), food('z', 9)] }, utc)));
    const starts = map().map(({ start }) => start);
    assert.equal(new Set(starts).size, 3);
    assertEvery(starts, (start) => start.startsWith('2026-03-02T06:00:'));
    assert.deepEqual(
      map().map(({ start }) => start),
      starts,
    );
  });
});

describe('react-native-health', () => {
  it('offers every HealthKit type of the catalog, or is listed without it', () => {
    const offered = HEALTH_METHODS.flatMap(({ type }) =>
      type === 'BloodPressure' ? ['BloodPressureSystolic', 'BloodPressureDiastolic'] : [type],
    );
    const all = [...HEALTHKIT_TYPES.map(({ name }) => name), 'Workout'].sort();
    assert.deepEqual([...offered, ...UNOFFERED_TYPES].sort(), all);
  });

  for (const { method, type, isStatistic } of HEALTH_METHODS) {
    it(`maps ${method}`, () => {
      const base = { id: 'i1', sourceId: 'com.apple.health.1', sourceName: 'Watch' };
      const times = { startDate: '2026-03-02T07:00:00.000+0100', endDate: '2026-03-02T07:01:00.000+0100' };
      const plausible: Record<string, number> = { BodyTemperature: 37, OxygenSaturation: 0.97, BodyFatPercentage: 0.2 };
      const value = plausible[type] ?? (type === 'HeartRateVariabilitySDNN' ? 0.05 : 20);
      const result =
        type === 'Workout'
          ? { ...base, activityName: 'Running', start: times.startDate, end: times.endDate, distance: 1, calories: 90 }
          : type === 'BloodPressure'
            ? { ...times, bloodPressureSystolicValue: 120, bloodPressureDiastolicValue: 80 }
            : type === 'SleepAnalysis'
              ? { ...base, ...times, value: 'CORE' }
              : {
                  ...base,
                  ...times,
                  value: ['HeartRate', 'Height', 'BodyMass', 'RestingHeartRate', 'WalkingHeartRateAverage'].includes(
                    type,
                  )
                    ? 60
                    : value,
                };
      const items = upload(mapReactNativeHealth(method, [result]));
      assert.equal(items.length, type === 'BloodPressure' ? 2 : 1);
      const [first] = items;
      assert.ok(first?.list !== 'daily' && first?.value.start.endsWith('+01:00'));
      if (isStatistic) {
        const shares = [
          { sourceId: 'a', sourceName: 'A', quantity: 3 },
          { sourceId: 'b', sourceName: 'B', quantity: 4 },
        ];
        const { groups } = mapReactNativeHealth(method, [{ ...times, value: 5, metadata: shares }]);
        assert.deepEqual(
          groups?.map(({ source }) => source.id),
          ['a', 'b'],
        );
      }
    });
  }

  it('throws for a method that it does not know', () => {
    assert.throws(() => mapReactNativeHealth('getBloodType', []), /getBloodType/);
  });
});

describe('react-native-health-connect', () => {
  const metadata = { id: 'r1', dataOrigin: 'com.example.watch', recordingMethod: 2, device: { model: 'W1', type: 1 } };
  const zone = { id: '+01:00', totalSeconds: 3_600 };
  const times = { startTime: START, endTime: END, startZoneOffset: zone, time: START, zoneOffset: zone, metadata };

  it('maps every record type of the catalog, or says why not', () => {
    const names = new Set(
      METRICS.flatMap(({ healthConnect }) => (healthConnect === null ? [] : [healthConnect.replace(/Record.*/, '')])),
    );
    const listed = [...RECORD_TYPES.map(({ recordType }) => recordType), ...Object.keys(UNMAPPED_RECORDS)];
    assert.deepEqual(listed.sort(), [...names].sort());
    const fields = METRICS.flatMap(({ id, healthConnect }) => (healthConnect?.startsWith('Nutrition') ? [id] : []));
    const nutrition = RECORD_TYPES.find(({ recordType }) => recordType === 'Nutrition');
    assert.deepEqual(nutrition?.values.map(({ metric }) => metric).sort(), [...fields].sort());
  });

  for (const { recordType, kind, values } of RECORD_TYPES) {
    it(`maps ${recordType}`, () => {
      const record: Record<string, unknown> = { ...times };
      for (const { path, metric } of values) {
        const entry = findMetric(metric) ?? assert.fail(`no metric ${metric}`);
        const value = metric === 'skin_temperature' ? 34 : metric === 'height' ? 1.8 : middle(entry);
        if (path !== '') setPath(record, path, value);
      }
      if (kind === 'sleep') record.stages = [{ startTime: START, endTime: END, stage: 5 }];
      if (kind === 'workout') record.exerciseType = 56;
      const items = upload(mapHealthConnectRecords(recordType, [record]));
      assertEvery(items, ({ ids }) => ids?.[0] === 'r1');
      if (values.length > 0)
        assert.deepEqual(
          samplesOf(items)
            .map(({ metric }) => metric)
            .sort(),
          values.map(({ metric }) => metric).sort(),
        );
      assertEvery(items, (item) => item.list === 'daily' || item.value.start.endsWith('+01:00'));
    });
  }

  it('names the app that wrote a workout, and its own id', () => {
    const metadata = { id: 'r1', dataOrigin: 'com.strava', clientRecordId: '77' };
    const record = { startTime: START, endTime: END, exerciseType: 56, metadata };
    const workout = firstWorkout(mapHealthConnectRecords('ExerciseSession', [record]));
    assert.deepEqual(workout?.recorded_by, { app: 'com.strava', id: '77' });
  });

  it('keeps a workout and its source, whatever texts an app wrote', () => {
    for (const text of [`${'x'.repeat(254)}🏃🏃`, 'half \ud83c and \0 none', '\0', '']) {
      const device = { manufacturer: text, model: text, type: 1 };
      const metadata = { id: 'r1', dataOrigin: 'com.strava', device };
      const record = { startTime: START, endTime: END, exerciseType: 56, title: text, metadata };
      const workout = firstWorkout(mapHealthConnectRecords('ExerciseSession', [record]));
      assert.ok(text.startsWith(workout?.name?.slice(0, 4) ?? ''), JSON.stringify(workout));
      const source = { name: text, bundleIdentifier: 'com.example.app' };
      const steps = {
        uuid: 'u1',
        startDate: START,
        endDate: END,
        quantityType: 'StepCount',
        quantity: 5,
        unit: 'count',
      };
      const sourceRevision = { source, productType: text, operatingSystemVersion: '18.1' };
      assert.equal(upload(mapKingstinct({ samples: [{ ...steps, sourceRevision }] })).length, 1);
    }
  });

  it('deletes a changed record before it sends it again', () => {
    const changes = mapHealthConnectChanges({
      upsertionChanges: [{ record: { ...times, recordType: 'Steps', count: 5 } as object }],
      deletionChanges: [{ recordId: 'gone' }],
    });
    assert.deepEqual(changes.deletedIds, ['gone', 'r1']);
    const [group] = changes.groups ?? [];
    assert.deepEqual(group?.source, {
      provider: 'health_connect',
      id: 'com.example.watch W1',
      name: 'com.example.watch',
      model: 'W1',
      device_class: 'wrist',
    });
    assert.equal(upload(changes).length, 1);
  });
});

describe('sports', () => {
  it('have the names that the service knows', () => {
    const healthKit = Array.from({ length: 84 }, (_, index) => healthKitSport(index + 1)).filter(
      (name) => name !== 'other',
    );
    const healthConnect = Array.from({ length: 84 }, (_, index) => healthConnectSport(index));
    for (const name of [...healthKit, ...healthConnect]) assert.ok(matchSport(name) !== null, name);
    const known = SPORTS.flatMap((sport) => sport.healthKit).filter((name) => name !== 'other');
    assert.deepEqual([...healthKit].sort(), [...known].sort());
    assert.equal(healthKitSport(3_000), 'other');
  });
});

function setPath(record: Record<string, unknown>, path: string, value: number): void {
  const [list, field] = path.split('[].');
  if (field !== undefined && list !== undefined) {
    const entry: Record<string, unknown> = { time: START };
    setPath(entry, field, value);
    record[list] = [entry];
    return;
  }
  const [head = '', ...rest] = path.split('.');
  if (rest.length === 0) record[head] = value;
  else {
    const part = (record[head] ?? {}) as Record<string, unknown>;
    setPath(part, rest.join('.'), value);
    record[head] = part;
  }
}
