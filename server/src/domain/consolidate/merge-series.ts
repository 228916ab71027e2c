// Applies merged days to the samples of a total: which parts of a sample are in the timeseries, and with what value.
import type { LocalDate } from '../time/calendar.ts';
import type { Day, Zone } from '../time/day.ts';
import { endAt, takeShare } from '../time/quarter-hours.ts';
import { isWhole, type MergedDay, mergeDay, type Spread } from './merge-day.ts';
import { openSeriesDays, type SeriesDays, type SeriesOfDevice } from './series-days.ts';

export type MergedSeries = {
  /** Whether that device counts in the quarter hour, in the part of it that belongs to the day of `atMs`. */
  isSelected(index: number, quarter: number, atMs: number): boolean;
  /** Whether no device counts anything but zeros on the day of `atMs`. */
  isZeroDay(atMs: number): boolean;
  /** The amount that counts of a device's sample in [partStart, partEnd), which is in one day and counts entirely. */
  takePart(position: number, index: number, partStart: number, partEnd: number): number;
};

type DayView = { readonly day: MergedDay; readonly spreads: readonly ReadonlyMap<number, Spread>[] };

/**
 * Takes devices best first, with all samples of every day that will be read and of the whole time of their long
 * samples.
 */
export function mergeSeries(ranked: readonly SeriesOfDevice[], zone: Zone): MergedSeries {
  const seriesDays = openSeriesDays(ranked, zone);
  const days = new Map<LocalDate, DayView>();
  const viewAt = (atMs: number): DayView => {
    const day = zone.dayAt(atMs);
    return days.getOrInsertComputed(day.date, () => viewDay(seriesDays, day));
  };
  return {
    isSelected: (index, quarter, atMs) => viewAt(atMs).day.ownerOf(quarter) === index,
    isZeroDay: (atMs) => viewAt(atMs).day.counting.size === 0,
    takePart(position, index, partStart, partEnd) {
      const series = (ranked[position] as SeriesOfDevice).series;
      const start = series.starts[index] as number;
      const end = endAt(series, index);
      const spread = viewAt(partStart).spreads[position]?.get(index);
      if (spread === undefined || isWhole(spread))
        return takeShare(series.values[index] as number, start, end, partStart, partEnd);
      return spread.freeMs === 0 ? 0 : (spread.counted * (partEnd - partStart)) / spread.freeMs;
    },
  };
}

function viewDay(days: SeriesDays, day: Day): DayView {
  const merged = mergeDay(days.read(day));
  return { day: merged, spreads: merged.spreads.map((list) => new Map(list.map((one) => [one.index, one]))) };
}
