// The line of attempts: those that were made, the next one, and those that would follow.
import type { InspectedDelivery } from './queries.ts';

export type Slot =
  | { readonly kind: 'made'; readonly number: number; readonly isSuccess: boolean }
  | { readonly kind: 'next'; readonly number: number; readonly at: string | null }
  /** `afterMs`: after the first attempt of the schedule. */
  | { readonly kind: 'later'; readonly number: number; readonly afterMs: number };

type Planned = Pick<
  InspectedDelivery,
  'attempt_count' | 'attempts' | 'next_attempt_at' | 'retry_delays_ms' | 'status' | 'test'
>;

/** A delivery that was sent again has more attempts than its schedule, which restarts. */
export function planAttempts(delivery: Planned): Slot[] {
  const { attempts, attempt_count, status, next_attempt_at, retry_delays_ms, test } = delivery;
  const made = attempts.map(({ error }, index) => ({
    kind: 'made' as const,
    number: index + 1,
    isSuccess: error === null,
  }));
  if (status !== 'pending') return made;
  const next = { kind: 'next' as const, number: made.length + 1, at: next_attempt_at };
  if (test) return [...made, next];
  const later = retry_delays_ms.slice(attempt_count).map((_, index) => ({
    kind: 'later' as const,
    number: made.length + 2 + index,
    afterMs: sum(retry_delays_ms.slice(0, attempt_count + 1 + index)),
  }));
  return [...made, next, ...later];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** 5 s, 5 min, 2.6 h, 76 h */
export function distance(ms: number): string {
  const minutes = ms / 60_000;
  if (minutes < 1) return `${Math.round(ms / 1_000)} s`;
  if (minutes < 60) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  return hours < 10 ? `${Number(hours.toFixed(1))} h` : `${Math.round(hours)} h`;
}
