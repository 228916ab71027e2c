import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DeviceClass } from '../metrics/metric.ts';
import type { EpochMs, RecordedBy } from '../records/records.ts';
import type { DeviceId } from '../tenancy.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { findOriginals, type WorkoutTraits } from './session-originals.ts';
import { consolidateSessions, type Session, type SessionCandidate, type SessionRule } from './sessions.ts';

type Sport = Session & WorkoutTraits;
type Source = { provider: string; deviceClass?: DeviceClass; vendor?: string };

const traitsOf = ({ family, recordedBy }: Sport): WorkoutTraits => ({ family, recordedBy });
const RULE: SessionRule<Sport> = { ranking: ['wrist', 'phone', 'app'], minCoverage: null, traitsOf };

/** Minutes from [start, end]. A source with a vendor is an app on the phone. */
function record(
  id: string,
  [start, end]: readonly [number, number],
  { provider, deviceClass = 'app', vendor }: Source,
  { family = 'running', recordedBy = null, key = id }: Partial<Sport> = {},
): SessionCandidate<Sport> {
  const transport = ['apple_health', 'health_connect'].includes(provider) ? 'sdk' : 'cloud';
  return {
    device: { id: id as DeviceId, provider, deviceClass, transport, connectedAt: 0 as EpochMs, vendor: vendor ?? null },
    session: { key, start: (start * MINUTE_MS) as EpochMs, end: (end * MINUTE_MS) as EpochMs, family, recordedBy },
  };
}

const by = (vendor: string | null, id: string | null = null): RecordedBy => ({ vendor, id });
const summarize = (...candidates: SessionCandidate<Sport>[]) => {
  const canonical = consolidateSessions(candidates, RULE);
  assert.deepEqual(consolidateSessions(candidates.toReversed(), RULE), canonical);
  return canonical.map(({ device, duplicates }) => [device.id, ...duplicates.map((one) => one.device.id)].join(' '));
};

const GARMIN: Source = { provider: 'garmin', deviceClass: 'wrist' };
const WATCH: Source = { provider: 'apple_health', deviceClass: 'wrist' };
const STRAVA: Source = { provider: 'strava' };
const STRAVA_APP: Source = { provider: 'apple_health', vendor: 'strava' };
const SYNC_APP: Source = { provider: 'health_connect', vendor: 'other' };

describe('re-exports of a workout', () => {
  const run = record('garmin', [0, 60], GARMIN, { key: '77' });

  it('rank after the original over any number of steps, though phones rank first', () => {
    const strava = record('strava', [0, 58], STRAVA, { recordedBy: by('garmin', '77') });
    const apple = record('apple', [1, 59], STRAVA_APP);
    const android = record('android', [0, 61], SYNC_APP);
    assert.deepEqual(summarize(android, apple, strava, run), ['garmin android strava apple']);
    const originals = findOriginals([android, apple, strava, run], traitsOf);
    assert.deepEqual(
      [strava, apple, android].map((one) => [originals.get(one)?.record.device.id, originals.get(one)?.steps]),
      [
        ['garmin', 1],
        ['garmin', 1],
        ['garmin', 1],
      ],
    );
  });

  it('find the original if a step between is not connected', () => {
    assert.deepEqual(summarize(record('apple', [1, 59], STRAVA_APP), run), ['garmin apple']);
  });

  it('rank by their steps if the original is not connected', () => {
    const strava = record('strava', [0, 60], STRAVA, { recordedBy: by('garmin', '77') });
    const android = record('android', [0, 60], { provider: 'health_connect', vendor: 'strava' });
    const google = record('a google', [0, 60], { provider: 'google_health' }, { recordedBy: by('health_connect') });
    assert.deepEqual(summarize(google, android, strava), ['strava android a google']);
    assert.equal(findOriginals([google, android, strava], traitsOf).get(google)?.steps, 2);
  });

  it('of an unknown vendor rank after the first-hand record', () => {
    const scale: Source = { provider: 'withings', deviceClass: 'wrist' };
    const imported = record('a withings', [0, 60], scale, { recordedBy: by(null) });
    assert.deepEqual(summarize(imported, run), ['garmin a withings']);
    assert.deepEqual(summarize(imported), ['a withings'], 'and are listed without it');
  });

  it('of another vendor that records keep their rank', () => {
    const polar = record('apple', [0, 60], { provider: 'apple_health', vendor: 'polar' });
    assert.deepEqual(summarize(polar, run), ['apple garmin']);
  });

  it("do not lift the original above another device's record of the phone", () => {
    const apple = record('apple', [0, 60], { provider: 'apple_health', vendor: 'garmin' });
    assert.deepEqual(summarize(apple, run, record('watch', [0, 60], WATCH)), ['watch garmin apple']);
  });

  it('in parts, with another sport or with a long pause are copies of the whole', () => {
    const first = record('apple 1', [0, 25], STRAVA_APP, { family: 'other' });
    const second = record('apple 2', [35, 60], STRAVA_APP);
    assert.deepEqual(summarize(first, second, run), ['garmin apple 1 apple 2']);
    assert.deepEqual(summarize(record('strava', [0, 180], STRAVA, { recordedBy: by('garmin') }), run), [
      'garmin strava',
    ]);
  });

  it('follow the original to the workout that it is a duplicate of', () => {
    const watch = record('watch', [0, 60], WATCH);
    const longer = record('garmin', [20, 90], GARMIN);
    assert.deepEqual(summarize(watch, longer, record('strava', [62, 90], STRAVA, { recordedBy: by('garmin') })), [
      'watch garmin strava',
    ]);
  });

  it('that name each other in a circle have no original', () => {
    const one = record('polar', [0, 60], { provider: 'polar' }, { recordedBy: by('suunto') });
    const other = record('suunto', [0, 60], { provider: 'suunto' }, { recordedBy: by('polar') });
    assert.equal(findOriginals([one, other], traitsOf).size, 0);
    assert.deepEqual(summarize(one, other), ['polar suunto']);
  });
});

describe('two records without a common half', () => {
  const short = record('garmin', [0, 3], GARMIN, { key: '77' });
  const late = (minutes: number, more: Partial<Sport> = {}) =>
    record('strava', [minutes, minutes + 3], STRAVA, { key: '5', ...more });

  it('are one workout if they begin within two minutes in the same sport family', () => {
    assert.deepEqual(summarize(short, late(2)), ['garmin strava']);
    assert.deepEqual(summarize(short, late(2.1)), ['garmin', 'strava'], 'later');
    assert.deepEqual(summarize(short, late(2, { family: 'cycling' })), ['garmin', 'strava'], 'another sport');
    const next = { ...late(2), device: short.device };
    assert.deepEqual(summarize(short, next), ['garmin', 'garmin'], 'of one device');
  });

  it("are one workout if they overlap and one has the other's id", () => {
    assert.deepEqual(summarize(short, late(2.5, { family: 'other', recordedBy: by('garmin', '77') })), [
      'garmin strava',
    ]);
    assert.deepEqual(summarize(short, late(2.5, { recordedBy: by('garmin', '78') })), ['garmin', 'strava']);
    assert.deepEqual(
      summarize(short, late(60, { recordedBy: by('garmin', '77') })),
      ['garmin', 'strava'],
      'other hour',
    );
    const twice = record('wahoo', [0, 3], { provider: 'wahoo' }, { recordedBy: by('suunto', '1') });
    assert.deepEqual(summarize(twice, late(2.5, { recordedBy: by('suunto', '1') })), ['wahoo strava']);
  });

  it('stay two: the next interval, the legs of a triathlon, an hour shifted by its zone', () => {
    assert.deepEqual(summarize(short, record('other', [3, 6], STRAVA)), ['garmin', 'other']);
    const leg = (id: string, from: number, to: number, family: string) => record(id, [from, to], GARMIN, { family });
    const legs = [leg('swim', 0, 30, 'swimming'), leg('change', 30, 32, 'other'), leg('ride', 32, 90, 'cycling')];
    const copies = legs.map((one) => ({
      device: { ...record('strava', [0, 1], STRAVA).device },
      session: { ...one.session, start: one.session.start + MINUTE_MS / 2, recordedBy: by('garmin') } as Sport,
    }));
    assert.deepEqual(summarize(...legs, ...copies), ['swim strava', 'change strava', 'ride strava']);
    assert.deepEqual(summarize(record('garmin', [0, 60], GARMIN), record('polar', [60, 120], STRAVA)), [
      'garmin',
      'polar',
    ]);
  });
});
