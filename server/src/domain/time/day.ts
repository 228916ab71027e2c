// Local days as intervals: which day a moment belongs to, and when a day begins and ends in a zone. Days have neither
// gaps nor overlaps, whatever the clocks do: usually 23 to 25 hours, and a day that a zone skipped is empty. Fast
// enough for millions of samples, because Temporal is used only to create a zone.

import { createBoundedMap } from '../bounded-map.ts';
import type { EpochMs } from '../records/records.ts';
import type { LocalDate } from './calendar.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';
import { findOffsetIndex, readZoneOffsets } from './zone-offsets.ts';

/** `end` is where the next day begins. */
export type Day = { readonly date: LocalDate; readonly start: EpochMs; readonly end: EpochMs };

export type Zone = {
  readonly name: string;
  /**
   * The day that a moment belongs to. Never goes back as time advances: if clocks go back over midnight, the day that
   * has begun continues.
   */
  dayAt(epochMs: number): Day;
  /** Start equals end for a date that a zone skipped (Pacific/Apia, 2011-12-30). */
  dayOf(date: LocalDate): Day;
  /** Local time in minutes after the midnight that begins the date; negative before it. */
  wallMinutes(epochMs: number, date: LocalDate): number;
  /** The UTC offset at that moment. */
  offsetMinutesAt(epochMs: number): number;
};

/** No zone has ever been further ahead of UTC, so a moment longer before a local midnight cannot be after it. */
const MAX_AHEAD_MS = 16 * HOUR_MS;
const MAX_REMEMBERED_DAYS = 4_096; // about eleven years a zone, a few hundred kilobytes

/** There are some 600 names, but users' zones may be written in any case. */
const MAX_ZONES = 1_000;
const zones = createBoundedMap<string, Zone>(MAX_ZONES);

/** Cached, because creating a zone takes a millisecond. */
export function createZone(timeZone: string | null): Zone {
  return zones.getOrInsertComputed(timeZone ?? 'UTC', makeZone); // specification, Formats: without a zone, UTC
}

function makeZone(name: string): Zone {
  const offsets = readZoneOffsets(name);
  let latestOffset = 0;
  const offsetAt = (epochMs: number) => {
    const { fromMs, offsetMs } = offsets;
    const isStill =
      epochMs >= (fromMs[latestOffset] as number) && epochMs < (fromMs[latestOffset + 1] ?? Number.POSITIVE_INFINITY);
    if (!isStill) latestOffset = findOffsetIndex(offsets, epochMs);
    return offsetMs[latestOffset] as number;
  };

  /** The first moment with that local date or a later one; correct if midnight is skipped or comes twice. */
  const startOf = (dayNumber: number): number => {
    const wallMs = dayNumber * DAY_MS;
    let index = findOffsetIndex(offsets, wallMs - MAX_AHEAD_MS);
    for (; ; index++) {
      const startMs = Math.max(offsets.fromMs[index] as number, wallMs - (offsets.offsetMs[index] as number));
      if (startMs < (offsets.fromMs[index + 1] ?? Number.POSITIVE_INFINITY)) return startMs;
    }
  };

  const remembered = createBoundedMap<number, Day>(MAX_REMEMBERED_DAYS);
  const dayNumbered = (dayNumber: number): Day => {
    const known = remembered.get(dayNumber);
    if (known !== undefined) return known;
    if (!Number.isFinite(dayNumber)) throw new RangeError('not a time'); // `startOf` would not end
    const day = makeDay(dayNumber, startOf(dayNumber), startOf(dayNumber + 1));
    remembered.set(dayNumber, day);
    return day;
  };

  let latest = dayNumbered(0);
  return {
    name,
    dayAt: (epochMs) => {
      if (epochMs >= latest.start && epochMs < latest.end) return latest;
      const onTheWall = Math.floor((epochMs + offsetAt(epochMs)) / DAY_MS);
      const day = dayNumbered(onTheWall);
      latest = epochMs < day.end ? day : dayNumbered(onTheWall + 1);
      return latest;
    },
    dayOf: (date) => dayNumbered(Date.parse(date) / DAY_MS),
    wallMinutes: (epochMs, date) => (epochMs + offsetAt(epochMs) - Date.parse(date)) / MINUTE_MS,
    offsetMinutesAt: (epochMs) => Math.round(offsetAt(epochMs) / MINUTE_MS),
  };
}

function makeDay(dayNumber: number, start: number, end: number): Day {
  const date = new Date(dayNumber * DAY_MS).toISOString().slice(0, 10) as LocalDate;
  return { date, start: start as EpochMs, end: end as EpochMs };
}

/** The parts of [start, end) by local day, in order. An instant (end not after start) is one part. */
export function splitAtMidnights(zone: Zone, start: number, end: number): Day[] {
  const parts: Day[] = [];
  let day = zone.dayAt(start);
  let fromMs = start;
  while (end > day.end) {
    parts.push({ date: day.date, start: fromMs as EpochMs, end: day.end });
    fromMs = day.end;
    day = zone.dayAt(fromMs);
  }
  parts.push({ date: day.date, start: fromMs as EpochMs, end: Math.max(fromMs, end) as EpochMs });
  return parts;
}
