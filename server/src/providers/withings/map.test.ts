import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEvery } from '../../../test/support/assert-every.ts';
import { readFixture } from '../../../test/support/provider-fixture.ts';
import { listReported } from '../../../test/support/reported-samples.ts';
import type { EpochMs } from '../../domain/records/records.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/time/durations.ts';
import { findSport } from '../../domain/workouts/sports.ts';
import { type FetchWindow, ProviderAnswerError } from '../contract.ts';
import { mapActivity } from './map-activity.ts';
import { INTRADAY_FIELDS, mapIntraday } from './map-intraday.ts';
import { mapMeasures } from './map-measures.ts';
import { mapNight } from './map-night.ts';
import { mapSummaries, SUMMARY_FIELDS } from './map-summaries.ts';
import { mapWorkouts, WORKOUT_FIELDS } from './map-workouts.ts';
import { activityResource, intradayResource } from './resources/activity.ts';
import { measuresResource } from './resources/measures.ts';
import { sleepResource } from './resources/sleep.ts';
import { NO_ACTIVITY, nameOther, toSportType } from './sports.ts';

/** All published categories. */
const CATEGORIES = [
  [1, 36],
  [128, 128],
  [187, 188],
  [191, 196],
  [272, 272],
  [306, 308],
  [455, 457],
  [490, 532],
  [534, 568],
].flatMap(([first = 0, last = 0]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));

/** Other, none, games of skill, chores and further categories without a sport of ours. */
const NO_SPORTS = [36, 128, 457, 493, 500, 505, 506, 509, 511, 520, 539, 545, 553, 554, 555, 565, 568];

const read = (name: string) => readFixture('withings', name);
const context = { zone: 'Europe/Berlin', window: null };
const account = { providerUserId: '363', accessToken: 'a', refreshToken: null };
const window = { from: 1_500, to: DAY_MS, fromDate: '2026-03-01', toDate: '2026-03-02' } as unknown as FetchWindow;

describe('measures of Withings', () => {
  const { samples } = mapMeasures(read('measures'), context);
  const values = (metric: string) => listReported({ samples }, metric).map(({ value, unit }) => [value, unit]);

  it('reads exact decimals', () => {
    assert.deepEqual(values('weight'), [[72.412, 'kg']]);
    assert.deepEqual(values('body_fat_percentage'), [[18.93, '%']]);
    assert.deepEqual(values('height'), [[1.78, 'm']]);
    assert.deepEqual(values('heart_rate'), [
      [61, 'bpm'],
      [64, 'bpm'],
    ]);
  });

  it('drops goals and values that may belong to another person', () => {
    assert.equal(listReported({ samples }, 'weight').length, 1);
  });

  it('marks manual values', () => {
    assert.equal(listReported({ samples }, 'height')[0]?.method, 'manual');
    assert.equal(listReported({ samples }, 'weight')[0]?.method, 'automatic');
  });

  it('uses the zone of the group, otherwise of the user', () => {
    assert.equal(listReported({ samples }, 'blood_oxygen')[0]?.offsetMinutes, -420);
    assert.equal(listReported({ samples }, 'weight')[0]?.offsetMinutes, 60);
  });

  it('reads the whole body and no limb', () => {
    const measures = [
      { value: 900, type: 5, unit: -2, position: 3 },
      { value: 5870, type: 5, unit: -2, position: 7 },
    ];
    const group = { grpid: 1, attrib: 0, category: 1, date: 1_772_431_200, measures };
    const reported = mapMeasures({ status: 0, body: { measuregrps: [group] } }, context);
    assert.deepEqual(
      listReported(reported, 'lean_body_mass').map(({ value }) => value),
      [58.7],
    );
  });
});

describe('activity of Withings', () => {
  const reported = (activities: readonly object[]) =>
    mapActivity({ status: 0, body: { activities } }).daily.map(({ metric, date, value }) => [metric, date, value]);

  it('reads each day once, from the Withings device if it was worn', () => {
    assert.deepEqual(
      mapActivity(read('activity')).daily.map(({ metric, date, value, unit }) => [metric, date, value, unit]),
      [
        ['steps', '2026-03-02', 9120, 'count'],
        ['distance', '2026-03-02', 6840.5, 'm'],
        ['floors_climbed', '2026-03-02', 12, 'count'],
        ['light_activity', '2026-03-02', 15200, 's'],
        ['moderate_activity', '2026-03-02', 2400, 's'],
        ['vigorous_activity', '2026-03-02', 480, 's'],
        ['active_calories', '2026-03-02', 512.4, 'kcal'],
        ['heart_rate', '2026-03-02', 71, 'bpm'],
        ['heart_rate_min', '2026-03-02', 49, 'bpm'],
        ['heart_rate_max', '2026-03-02', 171, 'bpm'],
        ['heart_rate_zone_2_time', '2026-03-02', 900, 's'],
        ['heart_rate_zone_3_time', '2026-03-02', 600, 's'],
        ['heart_rate_zone_5_time', '2026-03-02', 60, 's'],
        ['resting_energy', '2026-03-02', 2510.9 - 512.4, 'kcal'],
        ['steps', '2026-03-03', 4321, 'count'],
        ['distance', '2026-03-03', 3100.2, 'm'],
        ['floors_climbed', '2026-03-03', 0, 'count'],
        ['light_activity', '2026-03-03', 1200, 's'],
        ['moderate_activity', '2026-03-03', 0, 's'],
        ['vigorous_activity', '2026-03-03', 0, 's'],
        ['active_calories', '2026-03-03', 96.5, 'kcal'],
        ['resting_energy', '2026-03-03', 1850 - 96.5, 'kcal'],
      ],
    );
  });

  it('treats an imported day as a duplicate that fills missing values, in any order', () => {
    const date = '2026-03-02';
    const own = { date, brand: 1, is_tracker: true, steps: 9_000, hr_average: 71 };
    const imported = { date, brand: 18, is_tracker: false, steps: 8_000, distance: 5_000 };
    const both = [
      ['steps', date, 9_000],
      ['distance', date, 5_000],
      ['heart_rate', date, 71],
    ];
    assert.deepEqual(reported([own, imported]), both);
    assert.deepEqual(reported([imported, own]), both);
    assert.deepEqual(reported([own, { ...imported, brand: undefined }]), both, 'no tracker is enough');
    const marks = mapActivity({ status: 0, body: { activities: [imported, own] } }).daily.map(
      (value) => value.isImported,
    );
    assert.deepEqual(marks, [undefined, true, undefined], 'what is of the copy is marked');
  });

  it('reads a heart rate of 0 as no signal and uses the imported one', () => {
    const date = '2026-03-02';
    const own = { date, brand: 1, is_tracker: true, steps: 9_000, hr_average: 0, hr_min: 0, hr_max: 0 };
    const imported = { date, brand: 18, is_tracker: false, hr_average: 71 };
    assert.deepEqual(reported([own]), [['steps', date, 9_000]]);
    assert.deepEqual(reported([own, imported]), [
      ['steps', date, 9_000],
      ['heart_rate', date, 71],
    ]);
  });

  it('treats a watch that counted only zeros as not worn', () => {
    const date = '2026-03-02';
    const idle = { date, brand: 1, is_tracker: true, steps: 0, distance: 0, calories: 0, totalcalories: 1_700 };
    const imported = { date, brand: 18, is_tracker: false, steps: 8_000 };
    const stepsOf = (rows: readonly object[]) => reported(rows).filter(([metric]) => metric === 'steps');
    assert.deepEqual(stepsOf([idle, imported]), [['steps', date, 8_000]]);
    assert.deepEqual(stepsOf([{ ...idle, hr_average: 60 }, imported]), [['steps', date, 0]]);
    assert.deepEqual(stepsOf([idle]), [['steps', date, 0]]);
  });

  it('reads totals over their interval and levels at their time', () => {
    const { samples } = mapIntraday(read('intraday'), context);
    const intervals = (metric: string) =>
      listReported({ samples }, metric).map(({ start, end, value }) => [start / 1_000, (end - start) / 1_000, value]);
    assert.deepEqual(intervals('steps'), [[1_772_434_800, 60, 84]]);
    assert.deepEqual(intervals('heart_rate'), [[1_772_434_860, 0, 66]]);
    assert.deepEqual(intervals('heart_rate_variability_rmssd'), [[1_772_434_920, 0, 38]]);
    assert.deepEqual(intervals('heart_rate_variability'), [[1_772_434_920, 0, 51]]);
    assert.deepEqual(intervals('respiratory_rate'), [[1_772_434_980.001, 0, 14]]);
    assert.deepEqual(intervals('body_temperature'), [[1_772_434_980.001, 0, 36.9]]);
    assertEvery(['rr', 'core_body_temperature'], (name) => INTRADAY_FIELDS.includes(name));
  });

  it('reads an empty list as an empty day', () => {
    assert.equal(mapIntraday({ status: 0, body: { series: [] } }, context).samples.size, 0);
    assert.throws(() => mapIntraday({ status: 0, body: { series: 7 } }, context), ProviderAnswerError);
    const series = { soon: { steps: 1 }, 1772434800: { steps: 2 } };
    const { samples, unreadable } = mapIntraday({ status: 0, body: { series } }, context);
    assert.deepEqual(
      listReported({ samples }, 'steps').map(({ value }) => value),
      [2],
    );
    assert.deepEqual([...unreadable], [['record', 1]]);
  });

  it('reads workouts in our units', () => {
    const [run, swim, lift, ...others] = mapWorkouts(read('workouts'), context).workouts;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [run?.sportType, run?.distanceKm, run?.activeCalories, run?.steps, run?.avgHeartRate, run?.maxHeartRate],
      ['running', 5.1034, 312.4, 4980, 148, 171],
    );
    assert.equal(run?.durationMinutes, 1871 / 60);
    assert.equal(run?.elevationGainM, null);
    assert.deepEqual(
      [swim?.sportType, swim?.swimmingStrokeCount, swim?.swimmingLapLengthM, swim?.offsetMinutes],
      ['swimming', 640, 25, -420],
    );
    assert.deepEqual(
      [lift?.sportType, lift?.distanceKm, lift?.activeCalories, lift?.method],
      ['strength_training', null, 180, 'manual'],
    );
  });
});

describe('workouts that Withings imported', () => {
  const recordedBy = (more: object) => {
    const row = { id: 1, category: 2, startdate: 1_772_431_510, enddate: 1_772_433_401, data: {}, ...more };
    return mapWorkouts({ status: 0, body: { series: [row] } }, context).workouts[0]?.recordedBy;
  };

  it('name the vendor of the model', () => {
    assert.deepEqual(recordedBy({ model: 1_058 }), { vendor: 'apple_health', id: null });
    assert.deepEqual(recordedBy({ model: 1_055 }), { vendor: null, id: null });
    assert.deepEqual(recordedBy({ model: 93, brand: 18 }), { vendor: null, id: null });
  });

  it('are not those of its own devices', () => {
    for (const more of [{}, { model: 93, brand: 1 }, { model: 0 }]) assert.equal(recordedBy(more), null);
  });
});

describe('zones and sports of Withings', () => {
  it('maps its three zones to the nearest of five and marks them as approximate', () => {
    const [run, swim, lift] = mapWorkouts(read('workouts'), context).workouts;
    assert.deepEqual(run?.sourceZones, { minutes: [0, 10, 1150 / 60, 0, 1], isApproximate: true });
    assert.deepEqual([swim?.sourceZones, lift?.sourceZones], [null, null]);
    assertEvery(['hr_zone_1', 'hr_zone_2', 'hr_zone_3'], (name) => WORKOUT_FIELDS.includes(name));
  });

  it('reads zones without any time as not measured unless there was a heart rate', () => {
    const data = { effduration: 60, hr_zone_0: 0, hr_zone_1: 0, hr_zone_2: 0, hr_zone_3: 0 };
    const row = { id: 1, category: 1, startdate: 1_772_431_510, enddate: 1_772_431_570, data };
    const zonesOf = (one: object) =>
      mapWorkouts({ status: 0, body: { series: [one] } }, context).workouts[0]?.sourceZones;
    assert.equal(zonesOf(row), null);
    const easy = { ...row, data: { ...data, hr_average: 82, hr_zone_0: 60 } };
    assert.deepEqual(zonesOf(easy)?.minutes, [0, 0, 0, 0, 0]);
  });

  it('reads a heart rate of 0 as no signal, and entered values if nothing was measured', () => {
    const workoutOf = (data: object) => {
      const row = { id: 1, category: 1, startdate: 1_772_431_510, enddate: 1_772_433_310, data };
      const [workout] = mapWorkouts({ status: 0, body: { series: [row] } }, context).workouts;
      return [workout?.avgHeartRate, workout?.maxHeartRate, workout?.distanceKm, workout?.activeCalories];
    };
    const none = { hr_average: 0, hr_max: 0, distance: 0, calories: 0, manual_distance: 0, manual_calories: 0 };
    assert.deepEqual(workoutOf(none), [null, null, 0, 0]);
    assert.deepEqual(workoutOf({ ...none, manual_distance: 5_000, manual_calories: 300 }), [null, null, 5, 300]);
    const measured = { hr_average: 80, hr_max: 90, distance: 680, calories: 47 };
    assert.deepEqual(workoutOf({ ...measured, manual_distance: 60, manual_calories: 70 }), [80, 90, 0.68, 47]);
  });

  it('maps every category that is a sport of ours', () => {
    for (const category of CATEGORIES) {
      const isOther = NO_SPORTS.includes(category);
      assert.equal(toSportType(category) === 'other', isOther, String(category));
      assert.notEqual(findSport(toSportType(category)), null, String(category));
      const isNamed = isOther && ![36, NO_ACTIVITY].includes(category);
      assert.equal(nameOther(category) !== null, isNamed, String(category));
    }
    assert.deepEqual([515, 532, 557, 490, 9_999, null].map(toSportType), [
      'wheelchair_run',
      'racquetball',
      'lacrosse',
      'volleyball',
      'other',
      'other',
    ]);
  });
});

describe('nights of Withings', () => {
  const [summary, ...others] = (read('sleep-summary') as { body: { series: unknown[] } }).body.series;
  const night = mapNight(read('sleep-get'), { ...context, calledBy: summary });

  it('joins a summary with its stages', () => {
    assert.deepEqual(others, []);
    const [session] = night.sleep;
    assert.ok(session);
    const { key, asleepMinutes, deepMinutes, lightMinutes, remMinutes, awakeMinutes, inBedMinutes } = session;
    assert.deepEqual(
      { key, asleepMinutes, deepMinutes, lightMinutes, remMinutes, awakeMinutes, inBedMinutes },
      {
        key: '2081800001',
        asleepMinutes: 431,
        deepMinutes: 90,
        lightMinutes: 240,
        remMinutes: 101,
        awakeMinutes: 31,
        inBedMinutes: 462,
      },
    );
    assert.deepEqual([session.heartRate, session.respiratoryRate, session.heartRateVariability], [54, 15, 41]);
    assert.deepEqual(
      session.stages?.map(({ stage, start, end }) => [stage, (end - start) / MINUTE_MS]),
      [
        ['awake', 10],
        ['light', 45],
        ['deep', 60],
      ],
    );
  });

  it('reads the variability of the night from its series, otherwise from its summary', () => {
    const rmssd = { 1772403690: 41, 1772403990: 0, 1772404290: 47 };
    const part = { startdate: 1_772_403_030, enddate: 1_772_404_030, state: 1, rmssd };
    const of = (data: object, parts: readonly object[]) => {
      const answer = { status: 0, body: { series: parts } };
      const [session] = mapNight(answer, { ...context, calledBy: { ...(summary as object), data } }).sleep;
      return [session?.heartRateVariability, session?.hrvKind];
    };
    const averages = { rmssd_start_avg: 38, rmssd_end_avg: 46 };
    assert.deepEqual(of(averages, [part]), [44, 'rmssd']);
    assert.deepEqual(of(averages, []), [42, 'rmssd']);
    assert.deepEqual(of({ rmssd_end_avg: 46 }, []), [null, 'rmssd']);
    assert.deepEqual(of({}, []), [null, 'rmssd']);
    assertEvery(['rmssd_start_avg', 'rmssd_end_avg'], (name) => SUMMARY_FIELDS.includes(name));
  });

  it('keeps the two kinds of variability apart', () => {
    const values = (metric: string) => listReported(night, metric).map(({ value }) => value);
    assert.deepEqual(values('heart_rate_variability_rmssd'), [41]);
    assert.deepEqual(values('heart_rate_variability'), [48]);
    assert.deepEqual(values('respiratory_rate'), [15]);
    assert.deepEqual(values('heart_rate'), [62, 61, 57]);
  });

  it('reports the heart rate of a watch as intraday data does, and that of a mat separately', () => {
    const at = (model_id: number | null, model: number) => {
      const part = { startdate: 1_772_403_030, enddate: 1_772_404_030, state: 1, model_id, hr: { 1772403060: 58 } };
      const calledBy = { ...(summary as object), model };
      const records = mapNight({ status: 0, body: { series: [part] } }, { ...context, calledBy });
      return listReported(records, 'heart_rate').map(({ start }) => start - 1_772_403_060_000);
    };
    const [watch, mat] = [at(93, 16), at(63, 32)];
    assert.deepEqual([watch, mat], [[0], [2]]);
    assert.deepEqual([at(63, 16), at(93, 32)], [mat, watch], 'each part of a night is of its own device');
    assert.deepEqual([at(null, 16), at(null, 32)], [watch, mat]);
  });

  it('drops stages that a second device reports for the same time', () => {
    const part = (startdate: number, enddate: number, state: number) => ({ startdate, enddate, state });
    const series = [
      part(1_772_403_030, 1_772_404_030, 1),
      part(1_772_403_090, 1_772_403_990, 3),
      part(1_772_404_030, 1_772_405_030, 2),
    ];
    const [session] = mapNight({ status: 0, body: { series } }, { ...context, calledBy: summary }).sleep;
    assert.deepEqual(
      session?.stages?.map(({ stage }) => stage),
      ['light', 'deep'],
    );
  });

  it('reads a night without stages', () => {
    const [session] = mapNight(null, { ...context, calledBy: summary }).sleep;
    assert.deepEqual([session?.stages, session?.asleepMinutes], [null, 431]);
    const [silent] = mapNight(null, {
      ...context,
      calledBy: { ...(summary as object), data: { hr_average: 0, rr_average: 0 } },
    }).sleep;
    assert.deepEqual([silent?.heartRate, silent?.respiratoryRate], [null, null], '0 means no signal');
  });

  it('adds up the day values of all sleeps of a date', () => {
    const one = read('sleep-summary') as { body: { series: unknown[] } };
    const other = read('sleep-other') as { body: { series: unknown[] } };
    const { daily } = mapSummaries({ status: 0, body: { series: [...one.body.series, ...other.body.series] } });
    assert.deepEqual(
      daily.map(({ metric, date, value }) => [metric, date, value]),
      [
        ['sleep_heart_rate_min', '2026-03-02', 49],
        ['snoring_duration', '2026-03-02', 300],
      ],
    );
  });

  it('requests the stages of each sleep', () => {
    const [followUp] = sleepResource.followUps?.(read('sleep-summary'), account) ?? [];
    assert.deepEqual(followUp?.request.form, {
      action: 'get',
      startdate: '1772403030',
      enddate: '1772430750',
      data_fields: 'hr,rr,rmssd,sdnn_1',
    });
    assert.deepEqual(followUp?.calledBy, summary);
  });
});

describe('requests to Withings', () => {
  it('sends the action in the form', () => {
    const { path, method, form } = measuresResource.request(window, '40', account);
    assert.deepEqual([method, path], ['POST', '/measure']);
    assert.deepEqual([form?.action, form?.startdate, form?.enddate, form?.offset], ['getmeas', '1', '86400', '40']);
    assert.ok(form?.meastypes?.split(',').includes('170'));
    const dated = activityResource.request(window, null, account).form;
    assert.deepEqual([dated?.startdateymd, dated?.enddateymd, dated?.offset], ['2026-03-01', '2026-03-02', undefined]);
    assert.equal(intradayResource.windowDays, 1);
  });

  it('follows pages while there is more', () => {
    assert.equal(measuresResource.nextCursor(read('workouts')), '4');
    assert.equal(measuresResource.nextCursor(read('activity')), null);
    assert.equal(measuresResource.nextCursor({ status: 0, body: { more: 1, offset: 9 } }), '9');
    assert.equal(measuresResource.nextCursor({ status: 0, body: { more: 0 } }), null);
  });

  it('reads the failure inside a 200', () => {
    const failure = (status: unknown, http = 200) =>
      measuresResource.readFailure?.({ status: http, headers: {}, body: { status, body: {} } });
    assert.equal(failure(0), null);
    assert.equal(failure(401), 'unauthorized');
    assert.equal(failure(277), 'forbidden');
    assert.equal(failure(214), 'forbidden');
    assert.equal(failure(601), 'rate_limited');
    assert.equal(failure(503), 'bad_request');
    assert.equal(failure(522), 'unavailable');
    assert.equal(failure(null), 'unavailable');
    assert.equal(failure(0, 502), null);
  });

  it('reads times of whole seconds', () => {
    const at = 1_772_431_200_000 as EpochMs;
    const { samples } = mapMeasures(read('measures'), context);
    assert.equal(listReported({ samples }, 'weight')[0]?.start, at);
  });
});
