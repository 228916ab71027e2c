// How far a device has told of itself: awake it is read out every quarter hour, and a night comes in the morning as a whole.

import { listNights, ORDINARY_DAY, type Person } from '../domain/sandbox/index.ts';
import type { Zone } from '../domain/time/day.ts';

export const SYNC_EVERY_MS = 15 * 60_000;

/** What lies later is not known yet. */
export function findSyncedUntil(person: Person, zone: Zone, nowMs: number): number {
  const { date } = zone.dayAt(nowMs);
  const nights = listNights({ person, date, zone, storyOf: () => ORDINARY_DAY });
  const asleep = nights.find(({ start, end }) => nowMs >= start && nowMs < end + SYNC_EVERY_MS);
  return asleep?.start ?? Math.floor(nowMs / SYNC_EVERY_MS) * SYNC_EVERY_MS;
}
