// Chains of re-exports, as docs/re-exports.md describes them: each record overlaps its original and begins within two minutes of it in the
// same sport family, or has the vendor's id of it.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { RankedDevice } from '../consolidate/ranking.ts';
import type { EpochMs, RecordedBy } from '../records/records.ts';
import type { SessionCandidate } from '../sessions/sessions.ts';
import type { DeviceId } from '../tenancy.ts';
import { MINUTE_MS, SECOND_MS } from '../time/durations.ts';
import { consolidateWorkouts, traitsOfWorkout } from './consolidate-workouts.ts';
import { SOURCES, type SourceName } from './copied-week.simulation.ts';

type Record = {
  readonly key: string;
  readonly start: EpochMs;
  readonly end: EpochMs;
  readonly sportType: string;
  readonly recordedBy: RecordedBy | null;
};
type Copy = { readonly source: SourceName; readonly startS: number; readonly endS: number; readonly hasId: boolean };

const SAME_START_S = 120;
/** What passes on the runs of a Garmin watch; clouds say that they received it. */
const COPYING = ['strava', 'withings', 'google', 'appleGarmin', 'appleStrava', 'androidGarmin', 'androidSync'] as const;
const RECEIVED: Readonly<globalThis.Record<string, RecordedBy>> = {
  strava: { vendor: 'garmin', id: null },
  withings: { vendor: null, id: null },
  google: { vendor: 'health_connect', id: null },
};

function toDevice(name: SourceName): RankedDevice {
  const source: { provider: string; deviceClass: RankedDevice['deviceClass']; app?: string; vendor?: string } =
    SOURCES[name];
  return {
    id: name as unknown as DeviceId,
    provider: source.provider,
    deviceClass: source.deviceClass,
    transport: source.app === undefined ? 'cloud' : 'sdk',
    connectedAt: name.length as EpochMs,
    vendor: source.vendor ?? null,
  };
}

const at = (ms: number) => Math.round(ms) as EpochMs;

function toOriginal(key: string, startMs: number, endMs: number): SessionCandidate<Record> {
  const session = { key, start: at(startMs), end: at(endMs), sportType: 'running', recordedBy: null };
  return { device: toDevice('garmin'), session };
}

/** `endS` is relative to the end of the original; the record keeps at least a second of it. */
function toCopy(original: Record, { source, startS, endS, hasId }: Copy, index: number): SessionCandidate<Record> {
  const start = original.start + startS * SECOND_MS;
  const end = Math.max(original.end + endS * SECOND_MS, Math.max(start, original.start) + SECOND_MS);
  const received = RECEIVED[source] ?? null;
  const recordedBy = hasId ? { vendor: 'garmin', id: original.key } : received;
  const session = { key: `${original.key} ${index}`, start: at(start), end: at(end), sportType: 'trail_running' };
  return { device: toDevice(source), session: { ...session, recordedBy } };
}

const copies = (maxStartS: number) =>
  fc.uniqueArray(
    fc.record({
      source: fc.constantFrom(...COPYING),
      startS: fc.integer({ min: -maxStartS, max: maxStartS }),
      endS: fc.integer({ min: -3_600, max: 600 }),
      hasId: fc.boolean(),
    }),
    { maxLength: 6, selector: ({ source }) => source },
  );

const describeAll = (records: readonly SessionCandidate<Record>[]) =>
  consolidateWorkouts(records, traitsOfWorkout).map(({ session, duplicates }) => ({
    key: session.key,
    copies: duplicates.map((one) => one.session.key).sort(),
  }));

describe('a chain of re-exports', () => {
  it('is one workout, that of the original, in every order', () => {
    const minutes = fc.integer({ min: 3, max: 240 });
    fc.assert(
      fc.property(minutes, copies(SAME_START_S), fc.infiniteStream(fc.nat()), (length, jitters, order) => {
        const original = toOriginal('77', 0, length * MINUTE_MS);
        const chain = jitters.map((copy, index) => toCopy(original.session, copy, index));
        const keys = new Map([original, ...chain].map((one) => [one, order.next().value as number]));
        const shuffled = [...keys.keys()].sort((a, b) => (keys.get(a) as number) - (keys.get(b) as number));
        assert.deepEqual(describeAll(shuffled), [
          { key: '77', copies: chain.map(({ session }) => session.key).sort() },
        ]);
      }),
      { numRuns: 500 },
    );
  });

  it('of two workouts back to back are two, each with its own copies', () => {
    const minutes = fc.integer({ min: 20, max: 120 });
    fc.assert(
      fc.property(minutes, minutes, copies(SAME_START_S), copies(SAME_START_S), (first, second, ofFirst, ofSecond) => {
        const middle = first * MINUTE_MS;
        const one = toOriginal('1', 0, middle);
        const other = toOriginal('2', middle, middle + second * MINUTE_MS);
        const chains = [
          ofFirst.map((copy, index) => toCopy(one.session, copy, index)),
          ofSecond.map((copy, index) => toCopy(other.session, copy, index)),
        ];
        const all = [...chains.flat(), one, other];
        const expected = ['1', '2'].map((key, index) => ({
          key,
          copies: (chains[index] ?? []).map(({ session }) => session.key).sort(),
        }));
        assert.deepEqual(describeAll(all), expected);
        assert.deepEqual(describeAll(all.toReversed()), expected);
      }),
      { numRuns: 500 },
    );
  });
});
