// Suunto's fields that do not mean what their names or the examples suggest.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mapPage, readFixture } from '../../../test/support/provider-fixture.ts';
import { listReported } from '../../../test/support/reported-samples.ts';
import { writeFitRecording } from '../../simulator/write-fit-recording.ts';
import type { CloudProvider, MapContext } from '../contract.ts';
import { suunto } from './index.ts';
import { suuntoOAuth } from './oauth.ts';
import { toSportType } from './sports.ts';

/** As an operator has it who enabled nothing. */
const confirmed: CloudProvider = { ...suunto, unconfirmed: [] };
const context: MapContext = { zone: 'Asia/Bangkok', window: null };
const resourceOf = (wanted: string) => suunto.resources.find(({ name }) => name === wanted) ?? assert.fail(wanted);

describe('a sleep of Suunto', () => {
  const times = { BedtimeStart: '2026-03-01T23:00:00.000+01:00', BedtimeEnd: '2026-03-02T07:00:00.000+01:00' };
  const mapSleeps = (...entries: readonly object[]) =>
    resourceOf('sleep').map(
      entries.map((entryData) => ({ timestamp: times.BedtimeStart, entryData })),
      context,
    );

  it('has totals, and time awake is time in bed without sleep', () => {
    const [night] = mapPage(confirmed, { resource: 'sleep', body: readFixture('suunto', 'sleep') }).sleep;
    assert.deepEqual(
      [night?.asleepMinutes, night?.deepMinutes, night?.inBedMinutes, night?.awakeMinutes, night?.heartRate],
      [431, 90, 462, 31, 54],
    );
    assert.deepEqual([night?.stages, night?.bloodOxygen, night?.heartRateVariability], [null, null, null]);
  });

  it('is the longest of the versions that one page has, in any order', () => {
    const interim = { SleepId: 1, DateTime: times.BedtimeStart, Duration: 2_040, IsNap: true, HRMin: 60 };
    const stages = { DeepSleepDuration: 0, LightSleepDuration: 0, REMSleepDuration: 0 };
    const whole = { SleepId: 1, ...times, Duration: 28_800, IsNap: false, HRMin: 48 };
    for (const entries of [
      [{ ...interim, ...stages }, whole],
      [whole, { ...interim, ...stages }],
    ]) {
      const { sleep, daily } = mapSleeps(...entries);
      assert.deepEqual(
        sleep.map(({ key, inBedMinutes }) => [key, inBedMinutes]),
        [['1', 480]],
      );
      assert.deepEqual(
        daily.map(({ date, value }) => [date, value]),
        [['2026-03-02', 48]],
      );
    }
    const [unstaged] = mapSleeps({ ...whole, ...stages }).sleep;
    assert.deepEqual([unstaged?.asleepMinutes, unstaged?.deepMinutes, unstaged?.awakeMinutes], [null, null, null]);
  });

  it('without bedtimes begins at its time and lasts as long as it says', () => {
    const { BedtimeEnd } = times;
    const [byEnd] = mapSleeps({ SleepId: 1, BedtimeEnd, Duration: 3_600 }).sleep;
    assert.equal(byEnd?.start, Date.parse('2026-03-02T06:00:00+01:00'));
    const [byStart] = mapSleeps({ SleepId: 1, Duration: 3_600 }).sleep;
    assert.equal(byStart?.end, Date.parse('2026-03-02T00:00:00+01:00'));
    assert.equal(mapSleeps({ SleepId: 1 }).unreadable.get('record'), 1);
  });
});

describe('a workout of Suunto', () => {
  const mapWorkout = (fields: object) =>
    resourceOf('workouts').map(
      { payload: [{ workoutId: 0, workoutKey: 'a', startTime: 1_772_431_510_000, totalTime: 60, ...fields }] },
      context,
    ).workouts[0];

  it('ends after its duration until it has a stop time', () => {
    assert.equal(mapWorkout({})?.end, 1_772_431_570_000);
    const paused = mapWorkout({ stopTime: 1_772_431_630_000 });
    assert.deepEqual([paused?.end, paused?.durationMinutes], [1_772_431_630_000, 1]);
    assert.equal(mapWorkout({})?.offsetMinutes, 420, 'in the user’s zone without an offset');
  });

  it('never has the maximum of the profile as its own', () => {
    assert.equal(mapWorkout({ hrdata: { max: 192, userMaxHR: 192 } })?.maxHeartRate, null);
    assert.equal(mapWorkout({ hrdata: { hrmax: 160, max: 192, workoutMaxHR: 0 } })?.maxHeartRate, 160);
  });

  it('has one of 122 activities', () => {
    const unknown = Array.from({ length: 122 }, (_, id) => id).filter((id) => toSportType(id) === 'other');
    assert.deepEqual(unknown, [4, 5, 6, 7, 8, 9, 18, 26, 89, 111, 119]);
    assert.deepEqual([toSportType(122), toSportType(null)], ['other', 'other']);
    assert.equal(mapWorkout({ activityId: 119 })?.name, 'Chores');
  });

  it('is paged by offset until a page is not full', () => {
    const { nextCursor } = resourceOf('workouts');
    const page = (length: number) => ({ payload: Array.from({ length }, () => ({})) });
    assert.deepEqual(
      [nextCursor(page(100), null), nextCursor(page(100), '100'), nextCursor(page(99), '200')],
      ['100', '200', null],
    );
    assert.equal(nextCursor(page(100), '9900'), null, 'a server that ignores the offset');
  });

  it('is gone with 404, but a list that is not found is a failure', () => {
    const notFound = { status: 404, headers: {}, body: null };
    const { isEmpty, isGone } = resourceOf('workouts');
    assert.deepEqual([isEmpty(notFound), isGone?.(notFound)], [false, true]);
  });

  it('that began the day before is in the list that shows deletions', () => {
    const window = { from: 1_772_400_000_000, to: 1_772_486_400_000 } as never;
    const { query } = resourceOf('workouts').request(window, null, {} as never);
    assert.deepEqual([query?.since, query?.until], ['1772313600000', '1772486400000']);
  });

  it('of any age is fetched again after a change', () => {
    const window = { from: 1_000, to: 2_000 } as never;
    const { query } = resourceOf('changed-workouts').request(window, null, {} as never);
    assert.deepEqual(query, { since: '1000', limit: '100', offset: '0', 'filter-by-modification-time': 'true' });
  });
});

describe('the recording of a workout of Suunto', () => {
  const files = resourceOf('workout-file');
  const body = readFixture('suunto', 'workouts') as { payload: Record<string, unknown>[] };
  const [run] = body.payload;
  const account = { providerUserId: 'sam', accessToken: 'a', refreshToken: null };
  const keeping = { ...context, keepsRoutes: true };

  it('is requested with its workout, which a list only names', () => {
    const { followUps, listRecords } = resourceOf('workouts');
    assert.deepEqual(followUps?.(body, account), []);
    assert.deepEqual(
      resourceOf('changed-workouts')
        .listRecords?.(body)
        .map(({ id, resource }) => [id, resource]),
      body.payload.map(({ workoutKey }) => [workoutKey, 'workouts']),
    );
    assert.deepEqual(listRecords?.({ error: null, payload: run }), []);
    const [asked] = followUps?.({ error: null, payload: run }, account) ?? [];
    const { path, accepts } = asked?.request ?? {};
    assert.deepEqual([path, accepts], [`/v3/workouts/${run?.workoutKey}/fit`, 'file']);
  });

  it('adds heart rates, route and laps; until it is ready the workout is complete otherwise', () => {
    const startMs = Number(run?.startTime);
    const times = { startMs, endMs: startMs + 1_860_000 };
    const bytes = writeFitRecording({ ...times, sport: 1, meters: 5_000, bpmAt: () => 140 });
    const [whole] = files.map(bytes, { ...keeping, calledBy: run }).workouts;
    assert.deepEqual([whole?.route?.length, whole?.laps?.length, whole?.heartRateSamples?.length], [32, 4, 32]);
    assert.deepEqual([files.isEmpty({ status: 404, headers: {}, body: null }), files.comesLater], [true, true]);
    const [early] = files.map(null, { ...keeping, calledBy: run }).workouts;
    assert.deepEqual([early?.key, early?.heartRateSamples, early?.route], [run?.workoutKey, null, undefined]);
    const { workouts: damaged, unreadable } = files.map(Buffer.from('<html>'), { ...keeping, calledBy: run });
    assert.deepEqual([damaged.length, unreadable.get('file')], [1, 1]);
    const [beats] = files.map(files.withoutPositions?.(bytes), { ...context, calledBy: run }).workouts;
    assert.deepEqual([beats?.route, beats?.laps], [null, null]);
    assert.deepEqual(beats?.heartRateSamples, whole?.heartRateSamples);
  });

  it('belongs to one workout, too, which a webhook names', () => {
    const { requestOne, map } = resourceOf('workouts');
    assert.equal(requestOne?.('a/b', account).path, '/v3/workouts/a%2Fb');
    assert.equal(map({ error: null, payload: run }, context).workouts[0]?.key, run?.workoutKey);
  });
});

it('a webhook of Suunto without a readable time names its workout', () => {
  const workout = { workoutKey: 'a', startTime: '2026-03-02T06:05:10Z' };
  const body = Buffer.from(JSON.stringify({ type: 'WORKOUT_CREATED', username: 'sam', workout }));
  assert.deepEqual(suunto.webhook?.readWebhookItems(body), [
    { kind: 'changed', providerUserId: 'sam', resource: 'workouts', id: 'a', from: null, to: null },
  ]);
});

describe('24/7 data of Suunto', () => {
  it('has SpO2 as a share, and no value where nothing was measured', () => {
    const records = mapPage(confirmed, { resource: 'activity', body: readFixture('suunto', 'activity') });
    assert.deepEqual(
      listReported(records, 'blood_oxygen').map(({ value }) => value),
      [97],
    );
    assert.deepEqual([...records.samples.keys()], ['heart_rate', 'blood_oxygen'], 'unconfirmed parts are off');
  });

  it('has daily totals in joules, by the local date, from the watch that counted most', () => {
    const page = { resource: 'daily-activity-statistics', body: readFixture('suunto', 'daily-activity-statistics') };
    const valuesOf = (provider: CloudProvider) =>
      mapPage(provider, page).daily.map(({ metric, date, value }) => `${metric} ${date} ${value}`);
    const steps = ['steps 2026-03-02 9876', 'steps 2026-03-03 0', 'steps 2026-03-04 7412'];
    assert.deepEqual(valuesOf(confirmed), steps);
    assert.deepEqual(valuesOf(suunto), [...steps, 'total_calories 2026-03-02 2430']);
  });

  it('dates a total written in UTC in the user’s zone', () => {
    const dateOf = (TimeISO8601: string) => {
      const Sources = [{ Samples: [{ TimeISO8601, Value: 1 }] }];
      return resourceOf('daily-activity-statistics').map([{ Name: 'stepcount', Sources }], context).daily[0]?.date;
    };
    assert.equal(dateOf('2026-03-01T17:00:00'), '2026-03-02');
    assert.equal(dateOf('2026-03-01T17:00:00.000Z'), '2026-03-02');
    assert.equal(dateOf('2026-03-02T00:00:00'), '2026-03-02');
    assert.equal(dateOf('2026-03-02T00:00:00.000-08:00'), '2026-03-02');
  });
});

describe('the connection to Suunto', () => {
  const answer = (body: unknown) => suuntoOAuth.readTokens({ status: 200, headers: {}, body });

  it('names the user by the claim of the token, or as the answer says', () => {
    const body = readFixture('suunto', 'tokens') as { access_token: string };
    const { user: _repeated, ...claimed } = body as { access_token: string; user: string };
    for (const tokens of [answer(claimed), answer({ ...body, access_token: 'opaque' })])
      assert.ok('accessToken' in tokens && tokens.providerUserId === 'sam');
    const unnamed = answer({ access_token: 'a.b.c' });
    assert.ok('accessToken' in unnamed && unnamed.providerUserId === null);
  });

  it('sends the subscription key with requests of data', () => {
    const client = { clientId: 'a', clientSecret: 'b', extras: { subscription_key: 'key' } };
    assert.deepEqual(suunto.apiHeaders?.(client), { 'ocp-apim-subscription-key': 'key' });
  });
});

describe('positions of Suunto', () => {
  it('are dropped from lists of workouts, which have them although the recording is not read', () => {
    const place = { x: 24.9, y: 60.2 };
    const run = { workoutKey: 'a', activityId: 1, hrdata: { avg: 148 } };
    const located = { ...run, startPosition: place, stopPosition: place, centerPosition: place, polyline: 'mmdnJ' };
    for (const name of ['workouts', 'changed-workouts']) {
      const { withoutPositions } = resourceOf(name);
      assert.deepEqual(withoutPositions?.({ error: null, payload: [located, 7] }), { error: null, payload: [run, 7] });
      assert.deepEqual(withoutPositions?.({ payload: 'none' }), { payload: 'none' });
      assert.deepEqual(withoutPositions?.({ payload: located }), { payload: run }, 'requested by its key');
    }
  });
});
