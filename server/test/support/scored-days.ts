// Days with enough data for scores, as a phone uploads them, and scoring without waiting for the job.
import { addDays, type LocalDate } from '../../src/domain/time/calendar.ts';
import { scoreQueuedDays } from '../../src/features/pipeline/scoring/index.ts';
import { changeUser } from '../../src/features/tenancy/user-core/index.ts';
import { openTestUser } from './test-samples.ts';
import type { TestService } from './test-service.ts';

/** Scores everything that is due. */
export async function scoreNow({ running: { services } }: TestService, userId: string): Promise<void> {
  const { tenant, userId: id } = await openTestUser(services.db, userId);
  await changeUser(services, tenant, id, async (tx, locked) => {
    if (locked === null) throw new Error('user not found');
    await scoreQueuedDays(tx, locked.handle, services.clock.now());
  });
}

/** Nights, resting heart rate, steps, and a run every third day. Days differ slightly and deterministically. */
export function liveDays(first: string, days: number): object {
  const dates = Array.from({ length: days }, (_, day) => addDays(first as LocalDate, day));
  return {
    sleep: dates.map((date, day) => ({
      id: `night-${date}`,
      start: `${addDays(date, -1)}T22:${10 + (day % 4) * 10}:00Z`,
      end: `${date}T06:${30 + (day % 3) * 10}:00Z`,
      asleep_minutes: 430 + (day % 5) * 8,
      deep_minutes: 70 + (day % 4) * 5,
      rem_minutes: 95,
      light_minutes: 265 + (day % 5) * 8 - (day % 4) * 5,
      awake_minutes: 25,
      in_bed_minutes: 460 + (day % 5) * 8,
      heart_rate_variability: 60 + (day % 6) * 3,
      hrv_kind: 'rmssd',
      respiratory_rate: 14 + (day % 3) * 0.2,
    })),
    daily: dates.flatMap((date, day) => [
      { date, metric: 'resting_heart_rate', value: 52 + (day % 4) },
      { date, metric: 'steps', value: 7_000 + (day % 5) * 900 },
    ]),
    workouts: dates
      .filter((_, day) => day % 3 === 2)
      .map((date) => ({
        id: `run-${date}`,
        sport_type: 'running',
        start: `${date}T16:00:00Z`,
        end: `${date}T16:40:00Z`,
        active_calories: 420,
        heart_rate: { avg_bpm: 148 },
      })),
  };
}

/** Heart rate while sitting, two samples per quarter hour from 8 to 16 UTC, and a walk at noon. */
export function sitThrough(first: string, days: number): object {
  const dates = Array.from({ length: days }, (_, day) => addDays(first as LocalDate, day));
  return {
    samples: dates.flatMap((date, day) => {
      const morning = Date.parse(`${date}T08:00:00Z`);
      const samples = Array.from({ length: 64 }, (_, index) => ({
        metric: 'heart_rate',
        start: new Date(morning + index * 450_000).toISOString(),
        value: 66 + (day % 3) + (index % 7),
      }));
      const walk = { metric: 'steps', start: `${date}T12:00:00Z`, end: `${date}T12:15:00Z`, value: 1_400 };
      return [...samples, walk];
    }),
  };
}
