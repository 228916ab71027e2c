// The samples of devices, day by day as `mergeDay` takes them. A sample longer than an hour that crosses midnight is divided
// between its days by what other devices counted in all of its time, not by time alone: else each day would count the steps of
// the other day again. Every such sample is looked at by itself, over its own time and no further, so that a day depends on the
// samples of its long samples' time and on nothing beyond.
import type { LocalDate } from '../time/calendar.ts';
import type { Day, Zone } from '../time/day.ts';
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

type TimeRange = { readonly start: number; readonly end: number };

export type SeriesOfDevice = {
  readonly series: SampleSeries;
  /** Which samples can be of that time; without it all are looked at. */
  indexesOf?(range: TimeRange): { readonly first: number; readonly end: number };
  /** UTC hours of the date in which the device measured a heart rate. Asked by `read`, where it decides. */
  wornHoursOf?(date: LocalDate): ReadonlySet<number> | undefined;
};

export type SeriesDays = {
  /** By place. */
  read(day: Day): readonly DayOfDevice[];
  /** Dates whose heart rates can change what counts on the day. */
  listContested(day: Day): LocalDate[];
};

/** Best first. Needs all samples of every day that is asked about, and of all the time of the long ones among them. */
export function openSeriesDays(ranked: readonly SeriesOfDevice[], zone: Zone): SeriesDays {
  const sums = new Map<LocalDate, readonly QuarterHours[]>();
  const withoutHours = createDivision(ranked, zone, false);
  const withHours = createDivision(ranked, zone, true);
  const sumDay = (day: Day) => sums.getOrInsertComputed(day.date, () => sumAll(ranked, day));
  const contested = new Map<readonly QuarterHours[], boolean>();
  /** By the list itself: it is the same one where nothing was divided. */
  const areContested = (ofDay: readonly QuarterHours[]) =>
    contested.getOrInsertComputed(ofDay, () => needsWornHours(ofDay.map((quarterHours) => ({ quarterHours }))));
  return {
    read(day) {
      const ofDay = withHours.divide(sumDay(day));
      // Where they decide nothing they are not heard: a day is the same whether or not they were loaded for another one.
      const areHeard = areContested(ofDay);
      return ofDay.map((quarterHours, index) => ({
        quarterHours,
        wornHours: areHeard ? ranked[index]?.wornHoursOf?.(day.date) : undefined,
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
 * Samples that cross a midnight of one day. A device has two as a rule. Each of more would be merged with all others in its time,
 * so a day with more of them divides them by time.
 */
const MAX_CROSSING_SAMPLES = 32;
/** Long samples of all devices in the time of one that crosses midnight: some for every hour of a month. With more it is divided by time. */
const MAX_LONG_AROUND = 1_000;

type Division = {
  /** Of a day, by place. */
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

/** What all devices have in the time of one long sample. */
type TimeOfSample = { readonly range: TimeRange; readonly devices: readonly DayOfDevice[] };

/** Null: no other device has anything, or there is too much. */
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

/** Null: other devices leave the sample as it is. */
function mergeTime({ devices }: TimeOfSample, position: number, index: number): MergedTime | null {
  const merged = mergeDay(devices);
  const spread = merged.spreads[position]?.find((one) => one.index === index);
  return spread === undefined || isWhole(spread) ? null : { merged, spread };
}

/** What of a sample's rest lies on the day that it was cut to. */
function takeDay({ merged, spread }: MergedTime, index: number, { start, end }: LongSample): DividedSample {
  let freeMs = 0;
  spreadOverQuarterHours(start, end, (quarter, partStart, partEnd) => {
    if (merged.ownerOf(quarter) === index) freeMs += partEnd - partStart;
  });
  const counted = spread.counted === 0 ? 0 : (spread.counted * freeMs) / spread.freeMs;
  return { start: spread.start, end: spread.end, value: spread.value, counted };
}

function sumAll(ranked: readonly SeriesOfDevice[], { start, end }: TimeRange): QuarterHours[] {
  return ranked.map(({ series, indexesOf }) => sumQuarterHours(series, start, end, indexesOf?.({ start, end })));
}

/** It lasts longer than what of it falls into the day. */
function crossesMidnight({ start, end, lengthMs }: LongSample): boolean {
  return lengthMs > end - start;
}

function listDates(zone: Zone, { start, end }: TimeRange): LocalDate[] {
  const dates: LocalDate[] = [];
  for (let day = zone.dayAt(start); day.start < end; day = zone.dayAt(day.end)) dates.push(day.date);
  return dates;
}

/** Whole quarter hours, so that the samples of others in the first and the last one count as they do on a day. */
export function roundToQuarterHours(start: number, end: number): TimeRange {
  return { start: quarterHourOf(start) * QUARTER_HOUR_MS, end: (quarterHourOf(end - 1) + 1) * QUARTER_HOUR_MS };
}
