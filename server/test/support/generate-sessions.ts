// Sleeps and workouts of a generated history.
import fc from 'fast-check';
import {
  type EpochMs,
  SLEEP_STAGES,
  type SleepSession,
  type StagePeriod,
  type Workout,
} from '../../src/domain/records/records.ts';
import { DAY_MINUTES, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { sleepAt, traceFrom, workoutAt } from './test-sessions.ts';

export type SessionItem =
  | { readonly kind: 'sleep'; readonly session: SleepSession }
  | { readonly kind: 'workout'; readonly session: Workout };

type HistoryStart = { readonly startMs: number };

/** Of a history; a night may end on the day after. */
export const DAYS = 4;

export const decimal = (min: number, max: number, decimals = 1) =>
  fc.integer({ min: min * 10 ** decimals, max: max * 10 ** decimals }).map((integer) => integer / 10 ** decimals);

const orNull = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: null });

/** Whole nights, partial nights, dead batteries and naps; several devices record the same night, so that duplicates occur. */
export function sleepIn({ startMs }: HistoryStart): fc.Arbitrary<SessionItem> {
  return fc
    .record({
      night: fc.nat({ max: DAYS - 1 }),
      beginQuarter: fc.constantFrom(88, 88, 89, 91, 92, 97, 100, 108, 110, 56), // 22:00 to 03:30, and a nap at 14:00
      lengthMinutes: fc.constantFrom(480, 480, 450, 240, 200, 180, 60, 30),
      jitterMinutes: fc.constantFrom(0, 0, 1, 7),
      key: fc.nat({ max: 7 }),
      stages: orNull(fc.array(fc.tuple(fc.constantFrom(...SLEEP_STAGES), fc.nat({ max: 3 })), { maxLength: 6 })),
      // Totals that do not contradict each other, whatever the sum of the stages is.
      asleepMinutes: orNull(fc.integer({ min: 20, max: 30 })),
      deepMinutes: orNull(decimal(0, 10)),
      remMinutes: orNull(decimal(0, 10)),
      besideMinutes: orNull(fc.nat({ max: 10 })),
      heartRate: orNull(decimal(45, 65)),
      heartRateVariability: orNull(decimal(20, 90)),
      hrvKind: fc.constantFrom('rmssd', 'sdnn'),
      skinTemperature: orNull(decimal(33, 36, 2)),
    })
    .map(({ night, beginQuarter, lengthMinutes, jitterMinutes, key, stages, besideMinutes, ...reported }) => {
      const start = startMs + (night * DAY_MINUTES + beginQuarter * 15 + jitterMinutes) * MINUTE_MS;
      const end = start + lengthMinutes * MINUTE_MS;
      const session = sleepAt(start, end, {
        ...reported,
        inBedMinutes: besideMinutes === null ? null : lengthMinutes + besideMinutes,
        stages: stages && layOutStages(stages, start, end),
      });
      return { kind: 'sleep', session: { ...session, key: key < 4 ? `sleep-${key}` : session.key } };
    });
}

/** A night with a break: a device records both parts, one part, or the whole as one record; other devices record it too. */
export function brokenNightIn({ startMs }: HistoryStart): fc.Arbitrary<SessionItem[]> {
  const at = (minutes: number) => startMs + minutes * MINUTE_MS;
  return fc
    .record({
      night: fc.nat({ max: DAYS - 2 }),
      breaksAt: fc.constantFrom(23 * 60, 23 * 60 + 40, 24 * 60 + 30),
      gapMinutes: fc.constantFrom(30, 60, 75, 100),
      recorded: fc.constantFrom('both', 'both', 'first', 'second', 'whole'),
      hasMinutes: fc.boolean(),
      awakeMinutes: orNull(fc.nat({ max: 30 })),
      heartRate: orNull(decimal(45, 65)),
    })
    .map(({ night, breaksAt, gapMinutes, recorded, hasMinutes, ...reported }) => {
      const evening = night * DAY_MINUTES;
      const [begins, ends] = [evening + 21 * 60 + 50, evening + 31 * 60];
      const parts: Record<string, [number, number]> = {
        first: [begins, evening + breaksAt],
        second: [evening + breaksAt + gapMinutes, ends],
        whole: [begins, ends],
      };
      const spans = recorded === 'both' ? [parts.first, parts.second] : [parts[recorded]];
      return spans.flatMap((span = [begins, ends], index): SessionItem[] => {
        const [start, end] = span;
        const minutes = hasMinutes && recorded !== 'whole' ? { asleepMinutes: end - start - 40 } : {};
        const session = sleepAt(at(start), at(end), { ...reported, ...minutes });
        return [{ kind: 'sleep', session: { ...session, key: `night-${night}-${index}` } }];
      });
    });
}

function layOutStages(
  drawn: readonly (readonly [StagePeriod['stage'], number])[],
  start: number,
  end: number,
): StagePeriod[] {
  const step = (end - start) / 8;
  return drawn.map(([stage, skipped], index) => ({
    stage,
    start: (start + index * step) as EpochMs,
    end: Math.min(end, start + (index + 1 + skipped) * step) as EpochMs,
  }));
}

export function workoutIn({ startMs }: HistoryStart): fc.Arbitrary<SessionItem> {
  return fc
    .record({
      day: fc.nat({ max: DAYS - 1 }),
      beginQuarter: fc.constantFrom(28, 28, 72, 73, 94),
      jitterMinutes: fc.constantFrom(0, 0, 2),
      lengthMinutes: fc.constantFrom(30, 45, 60, 130),
      key: fc.nat({ max: 7 }),
      sportType: fc.constantFrom('running', 'cycling', 'swimming', 'strength_training'),
      distanceKm: orNull(decimal(1, 20, 2)),
      activeCalories: orNull(decimal(50, 900)),
      durationMinutes: orNull(decimal(20, 30)),
      avgHeartRate: orNull(decimal(90, 170)),
      trace: orNull(fc.array(fc.tuple(fc.nat({ max: 1_800 }), decimal(80, 190)), { maxLength: 8 })),
    })
    .map(({ day, beginQuarter, jitterMinutes, lengthMinutes, key, trace, ...reported }) => {
      const start = startMs + (day * DAY_MINUTES + beginQuarter * 15 + jitterMinutes) * MINUTE_MS;
      const heartRateSamples = trace && traceFrom(start, ...trace);
      const session = workoutAt(start, start + lengthMinutes * MINUTE_MS, { ...reported, heartRateSamples });
      return { kind: 'workout', session: { ...session, key: key < 4 ? `workout-${key}` : session.key } };
    });
}
