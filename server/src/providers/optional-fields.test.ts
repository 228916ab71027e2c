// Fields of single providers that do not affect their record when they are missing or invalid.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mapPage } from '../../test/support/provider-fixture.ts';
import { listReported } from '../../test/support/reported-samples.ts';
import { totalSleep } from '../domain/sleep/index.ts';
import { garmin } from './garmin/index.ts';
import { googleHealth } from './google-health/index.ts';
import { oura } from './oura/index.ts';
import { polar } from './polar/index.ts';
import { whoop } from './whoop/index.ts';
import { withings } from './withings/index.ts';

const NIGHT = { startTimeInSeconds: 1_772_403_030, startTimeOffsetInSeconds: 3_600, durationInSeconds: 27_720 };
const RUN = { id: 'x', start_time: '2026-03-02T07:05:10', duration: 'PT30M' };

describe('Garmin', () => {
  it('dates a night without a readable calendarDate by its end, and keeps the series where nothing dates it', () => {
    const hrv = { ...NIGHT, lastNightAvg: 48, hrvValues: { '300': 44 } };
    const map = (item: object) => mapPage(garmin, { resource: 'hrv', body: { hrv: [item] } });
    for (const calendarDate of [undefined, 7, 'soon']) {
      const { daily } = map({ ...hrv, calendarDate });
      assert.deepEqual(
        daily.map(({ date, value }) => [date, value]),
        [['2026-03-02', 48]],
      );
    }
    const undated = map({ ...hrv, durationInSeconds: undefined });
    assert.deepEqual(undated.daily, []);
    assert.equal(listReported(undated, 'heart_rate_variability_rmssd').length, 1);
  });

  it('keeps an activity of an unreadable type as other, with its name', () => {
    const activity = { activityId: 1, ...NIGHT, durationInSeconds: 1_800, activityName: 'Morning', activityType: 7 };
    const { workouts } = mapPage(garmin, { resource: 'activityDetails', body: [{ ...activity, samples: [] }] });
    assert.deepEqual(
      workouts.map(({ sportType, name, durationMinutes }) => [sportType, name, durationMinutes]),
      [['other', 'Morning', 30]],
    );
  });
});

describe('Polar', () => {
  const exercise = (fields: object) => {
    const [workout] = mapPage(polar, { resource: 'exercises', body: [{ ...RUN, ...fields }] }).workouts;
    return workout;
  };

  it('uses the coarse sport if the detailed one is unknown', () => {
    const sportOf = (sport: unknown, detailed_sport_info: unknown) => {
      const workout = exercise({ sport, detailed_sport_info });
      return [workout?.sportType, workout?.name];
    };
    assert.deepEqual(sportOf('RUNNING', 'TRAIL_RUNNING'), ['trail_running', null]);
    assert.deepEqual(sportOf('RUNNING', 'BACKWARDS_RUNNING'), ['running', null]);
    for (const unreadable of [null, '', 7]) assert.deepEqual(sportOf('RUNNING', unreadable), ['running', null]);
    assert.deepEqual(sportOf('JUGGLING', 'CLUB_JUGGLING'), ['other', 'CLUB_JUGGLING']);
  });

  it('reads training in the user’s time zone if its offset is invalid', () => {
    const startOf = (offset: unknown) => exercise({ start_time_utc_offset: offset })?.start;
    const inParis = Date.parse('2026-03-02T06:05:10Z');
    for (const offset of [undefined, 60, -1, 'nonsense']) assert.equal(startOf(offset), inParis, String(offset));
    assert.equal(startOf(345), Date.parse('2026-03-02T01:20:10Z'), 'Kathmandu');
  });

  it('drops a series without an interval, and zones without an order', () => {
    const sample = { 'sample-type': '0', data: '101,104' };
    assert.equal(exercise({ samples: [{ ...sample, 'recording-rate': 5 }] })?.heartRateSamples?.length, 2);
    for (const rate of [undefined, 'fast', -1])
      assert.equal(exercise({ samples: [{ ...sample, 'recording-rate': rate }] })?.heartRateSamples, null);
    const zones = (third: unknown) =>
      exercise({
        heart_rate_zones: [1, 2, third, 4, 5].map((index, position) => ({ index, 'in-zone': `PT${position + 1}M` })),
      })?.sourceZones;
    assert.deepEqual(zones(3)?.minutes, [1, 2, 3, 4, 5]);
    for (const index of [null, 1e300, 2, 6]) assert.equal(zones(index), null, String(index));
  });

  it('adds up the stages of a night, and not its unrecognized time', () => {
    const asleep = (fields: object) => {
      const night = { date: '2026-03-02', sleep_start_time: '2026-03-01T23:00:00+01:00' };
      const body = { nights: [{ ...night, sleep_end_time: '2026-03-02T07:00:00+01:00', ...fields }] };
      return mapPage(polar, { resource: 'sleep', body }).sleep[0]?.asleepMinutes;
    };
    const stages = { light_sleep: 14_400, deep_sleep: 5_400, rem_sleep: 6_000 };
    assert.equal(asleep(stages), 430);
    assert.equal(asleep({ ...stages, unrecognized_sleep_stage: 600 }), 430);
    assert.equal(asleep({ ...stages, rem_sleep: undefined }), null, 'a part is not the whole');
    assert.equal(asleep({ light_sleep: 0, deep_sleep: 0, rem_sleep: 0 }), null, 'nothing says how long');
  });

  it('drops activity zones that do not add up to its own totals', () => {
    const minutesOf = (totals: object) => {
      const at = (clock: string) => `2026-03-02T${clock}`;
      const samples = [
        { zone: 'SEDENTARY', timestamp: at('08:00') },
        { zone: 'LIGHT', timestamp: at('18:00') },
        { zone: 'NON_WEAR', timestamp: at('20:00') },
      ];
      const day = { start_time: at('00:00:00'), end_time: at('23:59:59'), samples: { activity_zones: { samples } } };
      const { daily } = mapPage(polar, { resource: 'activities', body: [{ ...day, ...totals }] });
      return Object.fromEntries(daily.map(({ metric, value }) => [metric, value / 60]));
    };
    const zones = { light_activity: 120, moderate_activity: 0, vigorous_activity: 0 };
    assert.deepEqual(minutesOf({}), { active_minutes: 120, sedentary_time: 600, ...zones });
    const near = { active_duration: 'PT2H4M', inactive_duration: 'PT9H50M' };
    assert.deepEqual(minutesOf(near), { active_minutes: 124, sedentary_time: 590, ...zones });
    assert.deepEqual(minutesOf({ active_duration: 'PT3H' }), { active_minutes: 180 });
    assert.deepEqual(minutesOf({ inactive_duration: 'PT6H' }), { sedentary_time: 360 });
  });
});

describe('WHOOP', () => {
  const FRAME = { id: 'w', start: '2026-03-02T07:00:00Z', end: '2026-03-02T08:00:00Z', timezone_offset: '+01:00' };

  it('reads the values of a record without a state, or with one that is not documented', () => {
    const heartRate = (state: object) => {
      const body = { records: [{ ...FRAME, ...state, score: { average_heart_rate: 130 } }] };
      return mapPage(whoop, { resource: 'workout', body }).workouts[0]?.avgHeartRate;
    };
    for (const state of [{}, { score_state: null }, { score_state: 'SCORED' }, { score_state: 'RESCORED' }])
      assert.equal(heartRate(state), 130, JSON.stringify(state));
    for (const score_state of ['PENDING_SCORE', 'UNSCORABLE']) assert.equal(heartRate({ score_state }), null);
  });

  it('dates a cycle by its night also where a nap does not say that it is one', () => {
    const night = { ...FRAME, cycle_id: 7, start: '2026-03-01T22:00:00Z', end: '2026-03-02T06:00:00Z', nap: false };
    const nap = { ...FRAME, id: 'n', cycle_id: 7, start: '2026-03-02T22:30:00Z', end: '2026-03-02T23:30:00Z' };
    for (const records of [
      [nap, night],
      [night, nap],
    ]) {
      const body = { records: [{ id: 7, score_state: 'SCORED', score: { kilojoule: 8_368 } }] };
      const { daily } = mapPage(whoop, { resource: 'cycle', body, calledBy: { records } });
      assert.deepEqual(
        daily.map(({ date, value }) => [date, Math.round(value)]),
        [['2026-03-02', 2_000]],
      );
    }
  });
});

describe('Oura', () => {
  it('names a workout by its label, otherwise by an unknown activity', () => {
    const times = { id: 'x', start_datetime: '2026-03-02T07:00:00+01:00', end_datetime: '2026-03-02T08:00:00+01:00' };
    const reported = (activity: string | null, label?: unknown) => {
      const body = { data: [{ ...times, activity, label }] };
      const [workout] = mapPage(oura, { resource: 'workout', body }).workouts;
      return [workout?.sportType, workout?.name];
    };
    assert.deepEqual(reported('running'), ['running', null]);
    assert.deepEqual(reported('crossCountrySkiing', ''), ['cross_country_skiing', null]);
    assert.deepEqual(reported('running', 'Round the lake'), ['running', 'Round the lake']);
    assert.deepEqual(reported('running', 7), ['running', null], 'a label that is not a string');
    assert.deepEqual(reported('houseWork'), ['other', 'houseWork']);
    assert.deepEqual(reported('other'), ['other', null]);
    assert.deepEqual(reported(null), ['other', null]);
  });

  it('keeps the variability of a session whose times cannot be read', () => {
    const heart_rate_variability = { interval: 5, items: [44], timestamp: '2026-03-02T20:00:00+01:00' };
    const body = { data: [{ id: 'x', type: 'meditation', start_datetime: 'soon', heart_rate_variability }] };
    const records = mapPage(oura, { resource: 'session', body });
    assert.deepEqual([...records.samples.keys()], ['heart_rate_variability_rmssd']);
  });
});

describe('Google Health', () => {
  it('counts restless sleep as time in bed, in stages as in totals', () => {
    const at = (from: string, to: string) => ({ startTime: `2026-03-02T${from}:00Z`, endTime: `2026-03-02T${to}:00Z` });
    const stages = [
      { ...at('00:00', '06:00'), type: 'ASLEEP' },
      { ...at('06:00', '06:10'), type: 'RESTLESS' },
      { ...at('06:10', '06:30'), type: 'AWAKE' },
    ];
    const body = { dataPoints: [{ sleep: { interval: at('00:00', '06:30'), type: 'CLASSIC', stages } }] };
    const [sleep] = mapPage(googleHealth, { resource: 'sleep', body }).sleep;
    assert.deepEqual(
      sleep?.stages?.map(({ stage }) => stage),
      ['asleep', 'in_bed', 'awake'],
    );
    assert.ok(sleep);
    const { asleep, awake, inBed } = totalSleep(sleep);
    assert.deepEqual([asleep, awake, inBed], [360, 20, 390]);
  });
});

describe('Withings', () => {
  const weights = (group: object, measure: object = {}) => {
    const measures = [{ type: 1, value: 72, unit: 0, ...measure }];
    const body = { status: 0, body: { measuregrps: [{ date: 1_772_431_200, measures, ...group }] } };
    return listReported(mapPage(withings, { resource: 'measures', body }), 'weight').map(({ value }) => value);
  };

  it('reads measurements of any category but goals', () => {
    for (const category of [undefined, 1, 'real', 9]) assert.deepEqual(weights({ category }), [72], String(category));
    assert.deepEqual(weights({ category: 2 }), []);
  });

  it('drops a value without its power of ten or with an unreadable body part', () => {
    for (const unit of [undefined, 'kg']) assert.deepEqual(weights({}, { unit }), []);
    for (const position of [undefined, null, 7]) assert.deepEqual(weights({}, { position }), [72]);
    for (const position of ['arm', 2]) assert.deepEqual(weights({}, { position }), []);
  });
});
