// How far a device has synced: every quarter hour while awake, and a whole night in the morning.

import { ORDINARY_DAY, type Person, planNights } from '../domain/sandbox/index.ts';
import type { Zone } from '../domain/time/day.ts';
import { MINUTE_MS } from '../domain/time/durations.ts';

export const SYNC_EVERY_MS = 15 * MINUTE_MS;

/** Later data is not known yet. */
export function findSyncedUntil(person: Person, zone: Zone, nowMs: number): number {
  const { date } = zone.dayAt(nowMs);
  const nights = planNights({ person, date, zone, storyOf: () => ORDINARY_DAY });
  const asleep = nights.find(({ start, end }) => nowMs >= start && nowMs < end + SYNC_EVERY_MS);
  return asleep?.start ?? Math.floor(nowMs / SYNC_EVERY_MS) * SYNC_EVERY_MS;
}
