// Splits the samples of devices into days for `mergeDay`. A sample longer than an hour that crosses midnight is divided
// between its days by what other devices counted in all of its time; divided by time alone, each day would count steps
// of the other day again. Each such sample is handled separately and only over its own time, so that a day depends on
// nothing beyond the time of its long samples.
import type { LocalDate } from '../time/calendar.ts';
import type { Day, Zone } from '../time/day.ts';
import type { Interval } from '../time/intervals.ts';
import {
  type DividedSample,
  endAt,
  type LongSample,
  QUARTER_HOUR_MS,
  type QuarterHours,
  quarterHourOf,
  type SampleSeries,
  spreadOverQuarterHours,
  sumQuarterHours,
} from '../time/quarter-hours.ts';
import { type DayOfDevice, isWhole, type MergedDay, mergeDay, needsWornHours, type Spread } from './merge-day.ts';
import { dropRepeatedSums, type SourceOfSamples } from './re-exports.ts';

export type SeriesOfDevice = {
  /** Absent: it repeats no other. */
  readonly device?: SourceOfSamples;
  readonly series: SampleSeries;
  /** The indexes of samples that may lie in that time; absent: all of them. */
  indexesOf?(range: Interval): { readonly first: number; readonly end: number };
  /**
   * UTC hours of the date in which the device measured a heart rate. `read` calls it only if the hours can change the
   * result.
   */
  wornHoursOf?(date: LocalDate): ReadonlySet<number> | undefined;
};

export type SeriesDays = {
  /** By index in `ranked`. */
  read(day: Day): readonly DayOfDevice[];
  /** Dates whose heart rates can change the result of the day. */
  listContested(day: Day): LocalDate[];
};

/**
 * Takes devices best first, with all samples of every day that will be read and of the whole time of their long
 * samples.
 */
export function openSeriesDays(ranked: readonly SeriesOfDevice[], zone: Zone): SeriesDays {
  const sums = new Map<LocalDate, readonly QuarterHours[]>();
  const withoutHours = createDivision(ranked, zone, false);
  const withHours = createDivision(ranked, zone, true);
  const sumDay = (day: Day) => sums.getOrInsertComputed(day.date, () => sumAll(ranked, day));
  const contested = new Map<readonly QuarterHours[], boolean>();
  /** Cached by the identity of the list, which stays the same if nothing was divided. */
  const areContested = (ofDay: readonly QuarterHours[]) =>
    contested.getOrInsertComputed(ofDay, () => needsWornHours(ofDay.map((quarterHours) => ({ quarterHours }))));
  return {
    read(day) {
      const ofDay = withHours.divide(sumDay(day));
      // Heart rates that change nothing are ignored, so that a day is the same whether or not another day loaded them.
      const useHeartRates = areContested(ofDay);
      return ofDay.map((quarterHours, index) => ({
        quarterHours,
        wornHours: useHeartRates ? ranked[index]?.wornHoursOf?.(day.date) : undefined,
      }));
    },
    listContested(day) {
      const sums = sumDay(day);
      const dates = withoutHours.listContested(sums);
      return areContested(withoutHours.divide(sums)) ? [...new Set([day.date, ...dates])] : dates;
    },
  };
}

/**
 * Samples that cross one midnight. A device usually has up to two. Each one is merged with all others in its time, so a
 * day with more of them divides them by time.
 */
const MAX_CROSSING_SAMPLES = 32;
/**
 * Long samples of all devices in the time of one that crosses midnight: more than one for every hour of a month. Beyond
 * that it is divided by time.
 */
const MAX_LONG_AROUND = 1_000;

type Division = {
  /** The quarter hours of a day, by index in `ranked`. */
  divide(sums: readonly QuarterHours[]): readonly QuarterHours[];
  /** Dates whose heart rates can change how the samples that cross the day's midnights are divided. */
  listContested(sums: readonly QuarterHours[]): LocalDate[];
};

function createDivision(ranked: readonly SeriesOfDevice[], zone: Zone, usesHours: boolean): Division {
  const known = new Map<string, MergedTime | null>();
  const mergeOnce = (position: number, index: number) =>
    known.getOrInsertComputed(`${position} ${index}`, () => {
      const time = readTimeOf(ranked, position, index);
      return time === null ? null : mergeTime(usesHours ? addHours(ranked, zone, time) : time, position, index);
    });
  return {
    divide(sums) {
      if (!isDivided(sums)) return sums;
      return sums.map((quarterHours, index) => ({
        ...quarterHours,
        long: quarterHours.long.map((sample) => {
          const merged = crossesMidnight(sample) ? mergeOnce(index, sample.index) : null;
          return merged === null ? sample : { ...sample, divided: takeDay(merged, index, sample) };
        }),
      }));
    },
    listContested(sums) {
      if (!isDivided(sums)) return [];
      return sums.flatMap(({ long }, position) =>
        long.filter(crossesMidnight).flatMap(({ index }) => {
          const time = readTimeOf(ranked, position, index);
          return time !== null && needsWornHours(time.devices) ? listDates(zone, time.range) : [];
        }),
      );
    },
  };
}

function isDivided(sums: readonly QuarterHours[]): boolean {
  if (sums.length < 2) return false;
  const crossing = sums.reduce((count, { long }) => count + long.filter(crossesMidnight).length, 0);
  return crossing > 0 && crossing <= MAX_CROSSING_SAMPLES;
}

/** The data of all devices in the time of one long sample. */
type TimeOfSample = { readonly range: Interval; readonly devices: readonly DayOfDevice[] };

/** Null if no other device has data, or if there is too much. */
function readTimeOf(ranked: readonly SeriesOfDevice[], position: number, index: number): TimeOfSample | null {
  const { series } = ranked[position] as SeriesOfDevice;
  const range = roundToQuarterHours(series.starts[index] as number, endAt(series, index));
  const sums = sumAll(ranked, range);
  const isShared = sums.some(({ indexes, long }, other) => other !== position && indexes.length + long.length > 0);
  if (!isShared || sums.reduce((count, { long }) => count + long.length, 0) > MAX_LONG_AROUND) return null;
  return { range, devices: sums.map((quarterHours) => ({ quarterHours })) };
}

function addHours(ranked: readonly SeriesOfDevice[], zone: Zone, time: TimeOfSample): TimeOfSample {
  if (!needsWornHours(time.devices)) return time;
  const dates = listDates(zone, time.range);
  const devices = time.devices.map((device, index) => ({
    ...device,
    wornHours: new Set(dates.flatMap((date) => [...(ranked[index]?.wornHoursOf?.(date) ?? [])])),
  }));
  return { ...time, devices };
}

type MergedTime = { readonly merged: MergedDay; readonly spread: Spread };

/** Null if other devices do not change the sample. */
function mergeTime({ devices }: TimeOfSample, position: number, index: number): MergedTime | null {
  const merged = mergeDay(devices);
  const spread = merged.spreads[position]?.find((one) => one.index === index);
  return spread === undefined || isWhole(spread) ? null : { merged, spread };
}

/** The part of a sample's rest on the day that it was cut to. */
function takeDay({ merged, spread }: MergedTime, index: number, { start, end }: LongSample): DividedSample {
  let freeMs = 0;
  spreadOverQuarterHours(start, end, (quarter, partStart, partEnd) => {
    if (merged.ownerOf(quarter) === index) freeMs += partEnd - partStart;
  });
  const counted = spread.counted === 0 ? 0 : (spread.counted * freeMs) / spread.freeMs;
  return { start: spread.start, end: spread.end, value: spread.value, counted };
}

function sumAll(ranked: readonly SeriesOfDevice[], { start, end }: Interval): readonly QuarterHours[] {
  return dropRepeatedSums(
    ranked.map(({ device }) => device ?? null),
    ranked.map(({ series, indexesOf }) => sumQuarterHours(series, start, end, indexesOf?.({ start, end }))),
  );
}

/** Whether it lasts longer than its part in the day. */
function crossesMidnight({ start, end, lengthMs }: LongSample): boolean {
  return lengthMs > end - start;
}

function listDates(zone: Zone, { start, end }: Interval): LocalDate[] {
  const dates: LocalDate[] = [];
  for (let day = zone.dayAt(start); day.start < end; day = zone.dayAt(day.end)) dates.push(day.date);
  return dates;
}

/** Expands to whole quarter hours, so that other samples in the first and last one count as they do on a day. */
export function roundToQuarterHours(start: number, end: number): Interval {
  return { start: quarterHourOf(start) * QUARTER_HOUR_MS, end: (quarterHourOf(end - 1) + 1) * QUARTER_HOUR_MS };
}
