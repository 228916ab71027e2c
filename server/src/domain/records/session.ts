// The common fields of sleeps and workouts. Identified by device and key.
import type { EpochMs } from './records.ts';

export type Session = { readonly key: string; readonly start: EpochMs; readonly end: EpochMs };

export function lengthMs({ start, end }: Pick<Session, 'start' | 'end'>): number {
  return end - start;
}

export function overlapMs(a: Pick<Session, 'start' | 'end'>, b: Pick<Session, 'start' | 'end'>): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/**
 * How detailed a sleep record is, most detailed first: minutes of light, deep and REM sleep; of some of them; minutes
 * asleep; only start and end; only time in bed.
 */
export const SESSION_DETAILS = ['all_stages', 'some_stages', 'asleep', 'times', 'in_bed'] as const;
export type SessionDetail = (typeof SESSION_DETAILS)[number];

/** Whether the record says how long the user slept. */
export function hasSleep(detail: SessionDetail): boolean {
  return detail !== 'times' && detail !== 'in_bed';
}
