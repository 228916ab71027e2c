// The merge of days, seen from the samples of a total: which parts of a sample are in the timeseries, and with what value.
import type { LocalDate } from '../time/calendar.ts';
import type { Day, Zone } from '../time/day.ts';
import { endAt, type SampleSeries, sumQuarterHours, takeShare } from '../time/quarter-hours.ts';
import { type MergedDay, mergeDay, type Spread } from './merge-day.ts';

export type MergedSeries = {
  /** Whether that device counts in the quarter hour, in the part of it that belongs to the day of `atMs`. */
  isChosen(place: number, quarter: number, atMs: number): boolean;
  /** What counts of a device's sample in [partStart, partEnd), all of which is chosen and in one day. */
  takePart(place: number, index: number, partStart: number, partEnd: number): number;
};

export type SeriesOfDevice = {
  readonly series: SampleSeries;
  /** Which samples can be of the day; without it all are looked at. */
  placesOf?(day: Day): { readonly first: number; readonly end: number };
  wornHoursOf?(date: LocalDate): ReadonlySet<number> | undefined;
};

type DayView = { readonly day: MergedDay; readonly spreads: readonly ReadonlyMap<number, Spread>[] };

/** Best first. Needs all samples of every day that is asked about. */
export function mergeSeries(ranked: readonly SeriesOfDevice[], zone: Zone): MergedSeries {
  const days = new Map<LocalDate, DayView>();
  const viewAt = (atMs: number): DayView => {
    const day = zone.dayAt(atMs);
    return days.getOrInsertComputed(day.date, () => viewDay(ranked, day));
  };
  return {
    isChosen: (place, quarter, atMs) => viewAt(atMs).day.ownerOf(quarter) === place,
    takePart(place, index, partStart, partEnd) {
      const series = (ranked[place] as SeriesOfDevice).series;
      const start = series.starts[index] as number;
      const end = endAt(series, index);
      const spread = viewAt(partStart).spreads[place]?.get(index);
      if (spread === undefined || isWhole(spread))
        return takeShare(series.values[index] as number, start, end, partStart, partEnd);
      return spread.freeMs === 0 ? 0 : (spread.counted * (partEnd - partStart)) / spread.freeMs;
    },
  };
}

function viewDay(ranked: readonly SeriesOfDevice[], day: Day): DayView {
  const merged = mergeDay(
    ranked.map(({ series, placesOf, wornHoursOf }) => ({
      quarterHours: sumQuarterHours(series, day.start, day.end, placesOf?.(day)),
      wornHours: wornHoursOf?.(day.date),
    })),
  );
  return { day: merged, spreads: merged.spreads.map((list) => new Map(list.map((one) => [one.index, one]))) };
}

function isWhole({ start, end, value, counted, freeMs }: Spread): boolean {
  return counted === value && freeMs === end - start;
}
