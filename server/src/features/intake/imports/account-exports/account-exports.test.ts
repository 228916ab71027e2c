import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { makeZip, readImport } from '../../../../../test/support/read-import.ts';

const json = (value: unknown) => Buffer.from(JSON.stringify(value));

describe('Fitbit files of Google Takeout', () => {
  it('reads minutes, heart rates, days, sleeps and exercises', async () => {
    const folder = 'Takeout/Fitbit/Global Export Data';
    const { format, items, rejected } = await readImport(
      'takeout.zip',
      makeZip({
        [`${folder}/steps-2026-03-09.json`]: json([
          { dateTime: '03/09/26 10:00:00', value: '40' },
          { dateTime: '03/09/26 10:01:00', value: '0' },
          { dateTime: 'soon', value: '3' },
        ]),
        [`${folder}/heart_rate-2026-03-09.json`]: json([
          { dateTime: '03/09/26 10:00:05', value: { bpm: 71, confidence: 2 } },
        ]),
        [`${folder}/resting_heart_rate-2026-03-09.json`]: json([
          { dateTime: '03/09/26 00:00:00', value: { date: '03/09/26', value: 56.5, error: 1 } },
          { dateTime: '03/10/26 00:00:00', value: { date: null, value: 0, error: 0 } },
        ]),
        [`${folder}/sleep-2026-03-09.json`]: json([
          {
            logId: 7,
            startTime: '2026-03-08T23:00:00.000',
            endTime: '2026-03-09T06:00:00.000',
            minutesAsleep: 400,
            timeInBed: 420,
            levels: { data: [{ dateTime: '2026-03-08T23:00:00.000', level: 'deep', seconds: 3600 }] },
          },
        ]),
        [`${folder}/exercise-2026-03-09.json`]: json([
          {
            logId: 8,
            activityName: 'Run',
            startTime: '03/09/26 16:00:00',
            duration: 600_000,
            activeDuration: 540_000,
            distance: 1,
            distanceUnit: 'Mile',
            averageHeartRate: 140,
          },
        ]),
        'Takeout/archive_browser.html': Buffer.from('<html>'),
      }),
    );
    assert.deepEqual([format, rejected.length], ['fitbit', 1]);
    assert.deepEqual(
      items.map(([, list, item]) => [list, item]),
      [
        [
          'samples',
          {
            metric: 'steps',
            start: '2026-03-09T10:00:00.000Z',
            end: '2026-03-09T10:01:00.000Z',
            value: 40,
            unit: 'count',
            recording_method: 'automatic',
          },
        ],
        [
          'samples',
          { metric: 'heart_rate', start: '2026-03-09T10:00:05.000Z', value: 71, recording_method: 'automatic' },
        ],
        ['daily', { date: '2026-03-09', metric: 'resting_heart_rate', value: 56.5 }],
        [
          'sleep',
          {
            id: '7',
            start: '2026-03-08T23:00:00+01:00',
            end: '2026-03-09T06:00:00+01:00',
            stages: [{ stage: 'deep', start: '2026-03-08T23:00:00+01:00', end: '2026-03-09T00:00:00+01:00' }],
            in_bed_minutes: 420,
            recording_method: 'automatic',
          },
        ],
        [
          'workouts',
          {
            id: '8',
            sport_type: 'Run',
            start: '2026-03-09T16:00:00.000Z',
            end: '2026-03-09T16:10:00.000Z',
            duration_minutes: 9,
            active_calories: null,
            steps: null,
            distance_km: 1.609344,
            heart_rate: { avg_bpm: 140 },
            recording_method: 'active',
          },
        ],
      ],
    );
  });
});

describe('Garmin account exports', () => {
  it('reads daily summaries, sleeps and activities, and lists files that are no JSON', async () => {
    const { format, items, rejected } = await readImport(
      'garmin.zip',
      makeZip({
        'DI_CONNECT/DI-Connect-Aggregator/UDSFile_2026.json': json([
          { calendarDate: '2026-03-09', totalSteps: 9_000, restingHeartRate: 52 },
        ]),
        'DI_CONNECT/DI-Connect-Wellness/1_sleepData.json': json([
          {
            calendarDate: '2026-03-09',
            sleepStartTimestampGMT: '2026-03-08T22:00:00.0',
            sleepEndTimestampGMT: '2026-03-09T05:00:00.0',
            deepSleepSeconds: 3_600,
            lightSleepSeconds: 18_000,
            remSleepSeconds: 1_800,
            awakeSleepSeconds: 1_800,
          },
          { calendarDate: '2026-03-10' },
        ]),
        'DI_CONNECT/DI-Connect-Fitness/a_0_summarizedActivities.json': json([
          {
            summarizedActivitiesExport: [
              {
                activityId: 5,
                name: 'Lake',
                activityType: 'running',
                startTimeGmt: 1_773_072_000_000,
                duration: 600_000,
                distance: 200_000,
                elevationGain: 4_200,
                avgHr: 140,
              },
            ],
          },
        ]),
        'DI_CONNECT/DI-Connect-Fitness/b_0_summarizedActivities.json': Buffer.from('[{"a": 1},\n {"b":}]'),
      }),
    );
    assert.equal(format, 'garmin');
    assert.deepEqual(
      items.map(([, list]) => list),
      ['daily', 'daily', 'sleep', 'workouts'],
    );
    const { asleep_minutes, deep_minutes, start } = (items[2]?.[2] ?? {}) as Record<string, unknown>;
    assert.deepEqual([asleep_minutes, deep_minutes, start], [390, 60, '2026-03-08T22:00:00.000Z']);
    const { distance_km, elevation_gain_m, end } = (items[3]?.[2] ?? {}) as Record<string, unknown>;
    assert.deepEqual([distance_km, elevation_gain_m, end], [2, 42, '2026-03-09T16:10:00.000Z']);
    assert.match(rejected.join(), /^\S*b_0_summarizedActivities\.json, line 2, column 7: invalid JSON/);
  });
});

describe('Health Connect exports', () => {
  it('reads samples, heart rates, sleeps and workouts of each app', async () => {
    const { format, items } = await readImport('hc.zip', makeZip({ 'health_connect_export.db': makeDatabase() }));
    assert.equal(format, 'health-connect');
    assert.deepEqual(
      items.map(([source, list, item]) => [source, list, item]),
      [
        [
          'Ring',
          'samples',
          {
            metric: 'steps',
            start: '2026-03-09T11:00:00+01:00',
            end: '2026-03-09T11:10:00+01:00',
            value: 300,
            unit: 'count',
            recording_method: 'automatic',
          },
        ],
        [
          'Ring',
          'samples',
          {
            metric: 'weight',
            start: '2026-03-09T11:00:00+01:00',
            value: 70_500,
            unit: 'g',
            recording_method: 'manual',
          },
        ],
        [
          'Ring',
          'samples',
          {
            metric: 'heart_rate',
            start: '2026-03-09T11:00:00+01:00',
            value: 64,
            unit: 'bpm',
            recording_method: 'automatic',
          },
        ],
        [
          'Ring',
          'sleep',
          {
            id: '0a0b',
            start: '2026-03-09T00:00:00+01:00',
            end: '2026-03-09T07:00:00+01:00',
            stages: [{ stage: 'deep', start: '2026-03-09T00:00:00+01:00', end: '2026-03-09T01:00:00+01:00' }],
            recording_method: 'automatic',
          },
        ],
      ],
    );
  });

  it('refuses another database', async () => {
    await assert.rejects(
      readImport('x.db', Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(100)])),
      /cannot be read|no Health Connect/,
    );
  });
});

it('reads nothing of a Health Connect export with a damaged page', async () => {
  const whole = makeDatabase();
  const pageBytes = whole.readUInt16BE(16);
  for (let at = pageBytes; at < whole.length; at += pageBytes) {
    const damaged = Buffer.from(whole).fill(0xff, at, at + pageBytes);
    await assert.rejects(
      readImport('x.db', damaged, {}, null, () => assert.fail('a record was read')),
      /The database cannot be read \(.+\)\. Export it again/,
    );
  }
});

function makeDatabase(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'health-connect-'));
  const path = join(folder, 'x.db');
  const db = new DatabaseSync(path);
  const at = (text: string) => Date.parse(text);
  const [ten, later] = [at('2026-03-09T10:00:00Z'), at('2026-03-09T10:10:00Z')];
  const [night, one, morning] = [at('2026-03-08T23:00:00Z'), at('2026-03-09T00:00:00Z'), at('2026-03-09T06:00:00Z')];
  db.exec(`create table application_info_table (row_id integer, package_name text, app_name text);
    insert into application_info_table values (1, 'com.ring', 'Ring');
    create table steps_record_table (row_id integer, app_info_id integer, recording_method integer, start_time integer, end_time integer, start_zone_offset integer, end_zone_offset integer, count integer);
    insert into steps_record_table values (1, 1, 2, ${ten}, ${later}, 3600, 3600, 300);
    create table weight_record_table (row_id integer, app_info_id integer, recording_method integer, time integer, zone_offset integer, weight real);
    insert into weight_record_table values (1, 1, 3, ${ten}, 3600, 70500);
    create table heart_rate_record_table (row_id integer, app_info_id integer, recording_method integer, start_time integer, start_zone_offset integer);
    create table heart_rate_record_series_table (parent_key integer, epoch_millis integer, beats_per_minute integer);
    insert into heart_rate_record_table values (9, 1, 2, ${ten}, 3600);
    insert into heart_rate_record_series_table values (9, ${ten}, 64);
    create table sleep_session_record_table (row_id integer, uuid blob, app_info_id integer, recording_method integer, start_time integer, end_time integer, start_zone_offset integer, end_zone_offset integer);
    create table sleep_stages_table (parent_key integer, stage_start_time integer, stage_end_time integer, stage_type integer);
    insert into sleep_session_record_table values (4, x'0a0b', 1, 2, ${night}, ${morning}, 3600, 3600);
    insert into sleep_stages_table values (4, ${night}, ${one}, 5);`);
  db.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

describe('account exports with impossible times', () => {
  it('rejects the records of a Garmin export, and reads the others', async () => {
    const good = { startTimeGmt: Date.parse('2026-03-09T16:00:00Z'), duration: 600_000 };
    const { items, rejected } = await readImport(
      'garmin.zip',
      makeZip({
        'DI_CONNECT/a_summarizedActivities.json': json([{ startTimeGmt: 1e20, duration: 1 }, good]),
        'DI_CONNECT/b_sleepData.json': json([{ sleepStartTimestampGMT: 1e20, sleepEndTimestampGMT: 1e21 }, {}]),
      }),
    );
    assert.equal(items.length, 1);
    assert.deepEqual(rejected, [
      'DI_CONNECT/a_summarizedActivities.json: an activity has no valid start or duration',
      'DI_CONNECT/b_sleepData.json: a sleep has no valid start or end',
    ]);
  });

  it('reads restless time of a Fitbit sleep as time in bed', async () => {
    const startTime = '2026-03-08T23:00:00.000';
    const data = [
      { dateTime: startTime, level: 'asleep', seconds: 3_600 },
      { dateTime: '2026-03-09T00:00:00.000', level: 'restless', seconds: 600 },
      { dateTime: '2026-03-09T00:10:00.000', level: 'awake', seconds: 300 },
    ];
    const night = { startTime, endTime: '2026-03-09T00:15:00.000', levels: { data } };
    const path = 'Takeout/Fitbit/Global Export Data/sleep-2026-03-09.json';
    const { items } = await readImport('takeout.zip', makeZip({ [path]: json([night]) }));
    const [[, , sleep] = []] = items;
    assert.deepEqual(
      (sleep as { stages: { stage: string }[] }).stages.map(({ stage }) => stage),
      ['asleep', 'in_bed', 'awake'],
    );
  });

  it('rejects the records of a Fitbit export, and reads the others', async () => {
    const folder = 'Takeout/Fitbit/Global Export Data';
    const startTime = '03/09/26 16:00:00';
    const night = { startTime: '2026-03-08T23:00:00.000', endTime: '2026-03-09T06:00:00.000' };
    const { items, rejected } = await readImport(
      'takeout.zip',
      makeZip({
        [`${folder}/exercise-2026-03-09.json`]: json([
          { startTime, duration: 1e20 },
          { startTime, duration: 600_000 },
        ]),
        [`${folder}/sleep-2026-03-09.json`]: json([
          { ...night, levels: { data: [{ dateTime: night.startTime, level: 'deep', seconds: 1e20 }] } },
        ]),
      }),
    );
    assert.deepEqual(
      items.map(([, list]) => list),
      ['workouts', 'sleep'],
    );
    assert.deepEqual(rejected, [`${folder}/exercise-2026-03-09.json: an exercise has no valid start or duration`]);
  });
});
