import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RankedDevice } from '../consolidate/ranking.ts';
import type { EpochMs } from '../records/records.ts';
import type { SessionCandidate } from '../sessions/sessions.ts';
import type { DeviceId } from '../tenancy.ts';
import { findVendor } from '../vendors.ts';
import { consolidateWorkouts, traitsOfWorkout } from './consolidate-workouts.ts';
import {
  COPY_COUNT,
  createCopiedWeek,
  type SimulatedRecord,
  SOURCES,
  WORKOUT_COUNT,
} from './copied-week.simulation.ts';

const START = Date.parse('2026-03-02T00:00:00Z');
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

function toCandidate(session: SimulatedRecord): SessionCandidate<SimulatedRecord> {
  const source: (typeof SOURCES)[keyof typeof SOURCES] & { app?: string; vendor?: string } = SOURCES[session.source];
  const connectedAt = (session.source.length % 3) as EpochMs;
  const device: RankedDevice = {
    id: session.source as unknown as DeviceId,
    provider: source.provider,
    deviceClass: source.deviceClass,
    transport: source.app === undefined ? 'cloud' : 'sdk',
    connectedAt,
    vendor: source.vendor ?? null,
  };
  return { device, session };
}

const describeWeek = (records: readonly SimulatedRecord[]) =>
  consolidateWorkouts(records.map(toCandidate), traitsOfWorkout).map(({ session, duplicates }) => ({
    key: session.key,
    copies: duplicates.map((copy) => copy.session.key).sort(),
  }));

describe('a week of workouts with re-exports', () => {
  it('is 22 workouts with 191 copies, each from its original, for every seed and order of arrival', () => {
    for (const seed of SEEDS) {
      const records = createCopiedWeek(seed, START);
      assert.equal(records.length, WORKOUT_COUNT + COPY_COUNT, `seed ${seed}`);
      const copies = Map.groupBy(records, ({ original }) => original);
      const expected = records
        .filter(({ key, original }) => key === original)
        .sort((a, b) => a.start - b.start)
        .map(({ key }) => ({
          key,
          copies: (copies.get(key) ?? [])
            .map((copy) => copy.key)
            .filter((copy) => copy !== key)
            .sort(),
        }));
      assert.equal(expected.length, WORKOUT_COUNT);
      assert.deepEqual(describeWeek(records), expected, `seed ${seed}`);
      assert.deepEqual(describeWeek(records.toReversed()), expected, `seed ${seed}, other order`);
    }
  });

  it('has apps of known vendors', () => {
    const known = Object.values(SOURCES).flatMap((source) => ('vendor' in source ? [source] : []));
    assert.ok(known.length > 5);
    // Strava becomes a vendor once it can be connected; until then its app is known to pass on records.
    for (const { app, vendor } of known) {
      const found = findVendor([app]);
      assert.ok(found === vendor || (vendor === 'strava' && found === 'other'), app);
    }
  });
});
