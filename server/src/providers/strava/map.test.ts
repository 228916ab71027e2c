import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FixturePage, mapPage, readFixture } from '../../../test/support/provider-fixture.ts';
import { listReported } from '../../../test/support/reported-samples.ts';
import type { Workout } from '../../domain/records/records.ts';
import { strava } from './index.ts';
import { readRecordedBy } from './recorded-by.ts';

const read = (name: string) => readFixture('strava', name) as Record<string, unknown>;
const [RUN, MANUAL, RIDE] = [read('run'), read('manual'), read('ride')];
const [STREAMS] = strava.resources.filter(({ name }) => name === 'streams');
assert.ok(STREAMS);

const workoutOf = (page: FixturePage): Workout => {
  const [workout, ...others] = mapPage(strava, page).workouts;
  assert.ok(workout && others.length === 0);
  return workout;
};
const activity = (fields: object, base = RUN) => workoutOf({ resource: 'activities', body: { ...base, ...fields } });
const streamed = (body: object, fields: object = {}, keepsRoutes = false) =>
  STREAMS.map(body, { zone: 'UTC', window: null, calledBy: { ...RUN, ...fields }, keepsRoutes });

describe('an activity', () => {
  it('has the moving time as its duration and the elapsed time between start and end', () => {
    const { start, end, durationMinutes, distanceKm, activeCalories, elevationGainM, name, method } = activity({});
    assert.equal(end - start, 1_891_000);
    assert.deepEqual(
      [durationMinutes, distanceKm, activeCalories, elevationGainM, name, method],
      [1_863 / 60, 5.1034, 412, 24, 'Morning Run', 'active'],
    );
  });

  it('has the offset of its false local time, also in summer and without utc_offset', () => {
    assert.equal(activity({}, MANUAL).offsetMinutes, 120);
    assert.equal(activity({ utc_offset: undefined }, MANUAL).offsetMinutes, 120);
    assert.equal(activity({ utc_offset: undefined, start_date_local: undefined }, MANUAL).offsetMinutes, 120);
    assert.equal(activity({ start_date_local: undefined }, RIDE).offsetMinutes, -420);
  });

  it('that was entered by hand is manual, private ones included, and requests no streams', () => {
    const { method, activeCalories, heartRateSamples, recordedBy, sportType } = activity({}, MANUAL);
    assert.deepEqual(
      [method, activeCalories, heartRateSamples, recordedBy, sportType],
      ['manual', 96, null, null, 'yoga'],
    );
    assert.deepEqual(followUpsOf(MANUAL), []);
  });

  it('without distance, calories or heart rate has none, where Strava reports 0', () => {
    const nothing = { distance: 0, calories: 0, average_heartrate: 0, max_heartrate: 0, moving_time: 0 };
    const { distanceKm, activeCalories, avgHeartRate, maxHeartRate, durationMinutes } = activity(nothing);
    assert.deepEqual(
      [distanceKm, activeCalories, avgHeartRate, maxHeartRate, durationMinutes],
      [null, null, null, null, null],
    );
    assert.equal(activity({ total_elevation_gain: 0 }).elevationGainM, 0, 'a flat course');
    assert.equal(activity({}, MANUAL).elevationGainM, null, 'not entered');
  });

  it('takes the energy from calories, never from kilojoules', () => {
    assert.equal(activity({ calories: undefined, kilojoules: 590 }).activeCalories, null);
  });

  it('of an unknown sport is other, under its name', () => {
    const sportOf = (fields: object) => [activity(fields).sportType, activity(fields).name];
    assert.deepEqual(sportOf({ sport_type: 'Juggling', type: 'Workout' }), ['cardio_training', 'Morning Run']);
    assert.deepEqual(sportOf({ sport_type: 'Juggling', type: 'Juggling', name: '' }), ['other', 'Juggling']);
    assert.deepEqual(sportOf({ sport_type: undefined, type: 'Hike' }), ['hiking', 'Morning Run']);
  });

  it('is only named by a list', () => {
    const { workouts } = mapPage(strava, { resource: 'activities', body: read('list') });
    assert.deepEqual(workouts, []);
    const [activities] = strava.resources;
    const listed = activities?.listRecords?.([...(read('list') as unknown as object[]), { id: 1 }, null]) ?? [];
    assert.deepEqual(
      listed.map(({ id }) => id),
      ['11204815001', '11204815002', '11204815003'],
    );
  });
});

describe('every sport of Strava', () => {
  const SPORTS = `AlpineSki BackcountrySki Badminton Basketball Canoeing Cricket Crossfit Dance EBikeRide Elliptical
    EMountainBikeRide Golf GravelRide Handcycle HighIntensityIntervalTraining Hike IceSkate InlineSkate Kayaking Kitesurf
    MountainBikeRide NordicSki Padel PhysicalTherapy Pickleball Pilates Racquetball Ride RockClimbing RollerSki Rowing Run Sail
    Skateboard Snowboard Snowshoe Soccer Squash StairStepper StandUpPaddling Surfing Swim TableTennis Tennis TrailRun Velomobile
    VirtualRide VirtualRow VirtualRun Volleyball Walk WeightTraining Wheelchair Windsurf Workout Yoga`.split(/\s+/);

  it('is one of ours', () => {
    assert.equal(SPORTS.length, 56);
    const unknown = SPORTS.filter((sport_type) => activity({ sport_type, type: sport_type }).sportType === 'other');
    assert.deepEqual(unknown, []);
  });
});

describe('streams', () => {
  it('add the heart rate and the pace of the sport', () => {
    const records = streamed(read('run-streams'));
    const [workout] = records.workouts;
    assert.deepEqual(
      workout?.heartRateSamples?.map(({ time, bpm }) => [(time - workout.start) / 1_000, bpm]),
      [
        [0, 101],
        [1, 104],
        [60, 140],
        [1_890, 171],
      ],
    );
    assert.deepEqual([...records.samples.keys()].sort(), ['running_power', 'running_speed']);
    assert.equal(listReported(records, 'running_power').length, 5, 'a power of 0 was measured');
  });

  it('omit estimated power, and the speed of a game', () => {
    assert.deepEqual(listReported(streamed(read('run-streams'), { device_watts: false }), 'running_power'), []);
    const virtual = streamed(read('ride-streams'), { ...RIDE, sport_type: 'VirtualRide', type: 'VirtualRide' });
    assert.deepEqual([...virtual.samples.keys()].sort(), ['cycling_cadence', 'cycling_power']);
  });

  it('of a hidden start have no times: only the workout is kept', () => {
    const hidden = { start_date: '2026-03-01T23:00:01Z', start_date_local: '2026-03-02T00:00:01Z' };
    const { workouts, samples } = streamed(read('run-streams'), hidden, true);
    assert.deepEqual(
      [workouts.length, workouts[0]?.heartRateSamples, workouts[0]?.route, workouts[0]?.laps],
      [1, null, null, null],
    );
    assert.equal(workouts[0]?.distanceKm, 5.1034);
    assert.equal(samples.size, 0);
  });

  it('that are missing change nothing', () => {
    const { workouts, samples } = STREAMS.map(null, { zone: 'UTC', window: null, calledBy: RUN });
    assert.deepEqual([workouts, samples.size], [[], 0]);
  });

  it('with another length than their times are dropped and counted', () => {
    const short = { ...read('run-streams'), heartrate: { data: [101] } };
    const { workouts, unreadable } = streamed(short);
    assert.equal(workouts[0]?.heartRateSamples, null);
    assert.equal(unreadable.get('heartrate'), 1);
  });
});

describe('routes and laps', () => {
  it('are read only for an account that keeps them, and positions not even requested for others', () => {
    const [kept] = streamed(read('run-streams'), {}, true).workouts;
    assert.equal(kept?.route?.length, 5);
    assert.deepEqual(kept?.route?.[0], { time: kept?.start, latitude: 48.1, longitude: 2.1, elevationM: 8.2 });
    assert.deepEqual(
      kept?.laps?.map(({ distanceKm, avgHeartRate }) => [distanceKm, avgHeartRate]),
      [
        [2.7, 143.1],
        [2.4034, 154],
      ],
    );
    const [other] = streamed(read('run-streams')).workouts;
    assert.deepEqual([other?.route, other?.laps], [undefined, undefined]);
    const keysOf = (keepsRoutes: boolean) => followUpsOf(RUN, keepsRoutes)[0]?.request.query?.keys?.split(',');
    assert.deepEqual(keysOf(false), ['time', 'heartrate', 'velocity_smooth', 'cadence', 'watts']);
    assert.deepEqual(keysOf(true)?.slice(5), ['latlng', 'altitude']);
  });

  it('leave no position in a response that is kept', () => {
    const kept = JSON.stringify(strava.resources[0]?.withoutPositions?.([RUN]));
    assert.ok(kept.includes('11204815001'));
    assert.doesNotMatch(kept, /latlng|polyline|48\.1/);
  });

  it('skip impossible and repeated positions', () => {
    const latlng = { data: [[48.1, 2.1], null, [91, 2], [48.2, 2.2], ['a', 2]] };
    const time = { data: [0, 1, 2, 2, 3] };
    const [workout] = streamed({ time, latlng }, {}, true).workouts;
    assert.deepEqual(
      workout?.route?.map(({ latitude }) => latitude),
      [48.1, 48.2],
    );
  });
});

describe('the vendor that recorded an activity', () => {
  const CASES: readonly (readonly [string | null, string | null, unknown])[] = [
    ['garmin_push_2478798425', 'Garmin Edge 530', { vendor: 'garmin', id: '2478798425' }],
    ['garmin_ping_312524993028', null, { vendor: 'garmin', id: null }],
    ['2024-08-24-100540-ELEMNT_BOLT_3FFA-159-0.fit', null, { vendor: 'wahoo', id: null }],
    ['zwift-activity-752165469668926976.fit', 'Zwift', { vendor: null, id: null }],
    ['6a7ebece4c8dda52aa105ddf.fit', 'Polar Vantage V3', { vendor: 'polar', id: null }],
    ['0a1b2c3d', 'Strava iPhone App', null],
    [null, null, null],
  ];
  it('is read from its external id or its device', () => {
    for (const [externalId, device, expected] of CASES)
      assert.deepEqual(readRecordedBy(externalId, device), expected, `${externalId} ${device}`);
  });
});

function followUpsOf(body: object, keepsRoutes?: boolean) {
  const account = { providerUserId: '1', accessToken: 'a', refreshToken: null };
  const routes = keepsRoutes === undefined ? {} : { keepsRoutes };
  return strava.resources[0]?.followUps?.(body, { ...account, ...routes }) ?? [];
}
