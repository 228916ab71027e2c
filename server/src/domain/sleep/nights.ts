// Which sleeps are parts of one night, and the day that they count toward (gap G-91).

import type { Session } from '../records/session.ts';
import { addDays, type LocalDate } from '../time/calendar.ts';
import type { Zone } from '../time/day.ts';
import { HOUR_MS, MINUTE_MS } from '../time/durations.ts';

type Times = Pick<Session, 'start' | 'end'>;
/** A record of one device. Devices are compared by identity, so an id or a number both work. */
type DeviceTimes = Times & { readonly device: string | number };

/** A sleep belongs to the night if its middle is between these local times. */
const NIGHT_BEGINS_MINUTE = 21 * 60;
const NIGHT_ENDS_MINUTE = 9 * 60;

/**
 * Sleeps of one device in the same night that are closer than this are one night, because a device may begin a new
 * session after the user gets up.
 */
export const SAME_NIGHT_GAP_MS = 90 * MINUTE_MS;

/** A night lasts 12 hours and no sleep more than 24, so all parts of a night lie within this reach. */
export const NIGHT_REACH_MS = 36 * HOUR_MS;

/** The date of the morning of the night that a sleep belongs to; null for a sleep by day. */
export function nightOf({ start, end }: Times, zone: Zone): LocalDate | null {
  const middleMs = (start + end) / 2;
  const { date } = zone.dayAt(middleMs);
  const minute = zone.wallMinutes(middleMs, date);
  if (minute >= NIGHT_BEGINS_MINUTE) return addDays(date, 1);
  return minute < NIGHT_ENDS_MINUTE ? date : null;
}

/** The calendar day of a sleep without other records: the local day of its end. */
export function sleepDate({ end }: Pick<Session, 'end'>, zone: Zone): LocalDate {
  return zone.dayAt(end).date;
}

/**
 * The same with all other records: the local day on which the night of the sleep ends. A duplicate counts toward the
 * day of its canonical sleep if both are in the same night. `duplicateOf`: the id of that sleep, or null.
 */
export function dateSleeps<Row extends DeviceTimes & { readonly id: string }>(
  rows: readonly Row[],
  zone: Zone,
  duplicateOf: (row: Row) => string | null,
): Map<Row, LocalDate> {
  return new Map([...dateNights(rows, zone, duplicateOf)].flatMap((ofNight) => [...ofNight]));
}

/** The same night by night, so that a caller with many sleeps can pause: only sleeps of one night affect each other. */
export function* dateNights<Row extends DeviceTimes & { readonly id: string }>(
  rows: readonly Row[],
  zone: Zone,
  duplicateOf: (row: Row) => string | null,
): Generator<Map<Row, LocalDate>> {
  for (const [night, ofNight] of Map.groupBy(rows, (row) => nightOf(row, zone)))
    yield night === null
      ? new Map(ofNight.map((row) => [row, sleepDate(row, zone)]))
      : dateNight(ofNight, zone, duplicateOf);
}

function dateNight<Row extends DeviceTimes & { readonly id: string }>(
  rows: readonly Row[],
  zone: Zone,
  duplicateOf: (row: Row) => string | null,
): Map<Row, LocalDate> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const records = Map.groupBy(rows, (row) => byId.get(duplicateOf(row) ?? row.id) ?? row);
  const recordsOf = (sleep: Row) => records.get(sleep) ?? [];
  const chain = (ofDevice: readonly Row[]) => chainRecords(ofDevice, (gapMs) => gapMs < SAME_NIGHT_GAP_MS);
  const dates = new Map<Row, LocalDate>();
  for (const parts of joinSleeps([...records.keys()], recordsOf, chain)) {
    const end = parts.reduce<number>((latest, part) => Math.max(latest, part.end), Number.NEGATIVE_INFINITY);
    const { date } = zone.dayAt(end);
    for (const row of parts.flatMap(recordsOf)) dates.set(row, date);
  }
  return dates;
}

/**
 * Joins sleeps if some device has consecutive records of them. A device whose record of the second part is a duplicate
 * still shows that both are one night. `chain` splits the records of one device.
 */
export function joinSleeps<Sleep, Times extends DeviceTimes>(
  sleeps: readonly Sleep[],
  recordsOf: (sleep: Sleep) => readonly Times[],
  chain: (recordsOfDevice: readonly Times[]) => readonly (readonly Times[])[],
): Sleep[][] {
  const indexOf = new Map(sleeps.flatMap((sleep, index) => recordsOf(sleep).map((record) => [record, index] as const)));
  const joined = createSets(sleeps.length);
  for (const ofDevice of Map.groupBy(indexOf.keys(), ({ device }) => device).values())
    for (const [first, ...others] of chain(ofDevice))
      for (const other of others) joined.unite(indexOf.get(first as Times) as number, indexOf.get(other) as number);
  return [...Map.groupBy(sleeps.keys(), joined.find).values()].map((indexes) =>
    indexes.map((index) => sleeps[index] as Sleep),
  );
}

/**
 * By start; `isNext` decides whether a record continues the ones before it, by the time since the last of them ended.
 */
export function chainRecords<Record extends Times>(
  records: readonly Record[],
  isNext: (gapMs: number, record: Record, before: readonly Record[]) => boolean,
): Record[][] {
  const chains: Record[][] = [];
  let reachMs = Number.NEGATIVE_INFINITY;
  for (const record of records.toSorted((a, b) => a.start - b.start)) {
    const before = chains.at(-1);
    if (before !== undefined && isNext(record.start - reachMs, record, before)) before.push(record);
    else chains.push([record]);
    reachMs = Math.max(reachMs, record.end);
  }
  return chains;
}

/** Union-find over the numbers below `size`. */
function createSets(size: number) {
  const parents = Int32Array.from({ length: size }, (_, index) => index);
  const find = (index: number): number => {
    let root = index;
    while (parents[root] !== root) root = parents[root] as number;
    for (let at = index; at !== root; ) {
      const next = parents[at] as number;
      parents[at] = root;
      at = next;
    }
    return root;
  };
  return {
    find,
    unite(a: number, b: number): void {
      parents[find(b)] = find(a);
    },
  };
}
