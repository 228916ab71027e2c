// The part of one device's samples in the timeseries: the quarter hours that the device owns (gap G-36).
import { splitAtMidnights, type Zone } from '../time/day.ts';
import { endAt, quarterHourOf, type SampleSeries, spreadOverQuarterHours, takeShare } from '../time/quarter-hours.ts';

type Picked = { starts: number[]; ends: number[]; values: number[] };

type Selection = {
  /** Totals are divided, levels are not (`isAdditive`). */
  readonly isAdditive: boolean;
  /** `atMs` is in the quarter hour; it selects the day if midnight divides the quarter hour. */
  readonly isSelected: (quarter: number, atMs: number) => boolean;
  /** The amount of a total that counts in a selected part; pro rata by time if absent. */
  readonly takePart?: (index: number, partStart: number, partEnd: number) => number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly zone: Zone;
};

/**
 * A level counts in the quarter hour it began in. A total's interval may cover quarter hours of several owners: only
 * the selected parts are returned, cut at local midnights, so that a day's values add up to its merged total. An
 * interval that is selected entirely, as nearly all are, is not changed.
 */
export function selectSamples(samples: SampleSeries, selection: Selection): SampleSeries {
  const picked: Picked = { starts: [], ends: [], values: [] };
  for (let index = 0; index < samples.starts.length; index++) {
    const start = samples.starts[index] as number;
    const end = endAt(samples, index);
    if (selection.isAdditive && end > start) pickParts(picked, samples, index, selection);
    else if (start >= selection.fromMs && start < selection.toMs && selection.isSelected(quarterHourOf(start), start))
      push(picked, start, end, samples.values[index] as number);
  }
  return picked;
}

function pickParts(picked: Picked, samples: SampleSeries, index: number, selection: Selection): void {
  const start = samples.starts[index] as number;
  const end = endAt(samples, index);
  const fromMs = Math.max(start, selection.fromMs);
  const toMs = Math.min(end, selection.toMs);
  if (fromMs >= toMs) return;
  const byTime = (_: number, from: number, to: number) =>
    takeShare(samples.values[index] as number, start, end, from, to);
  const takePart = selection.takePart ?? byTime;
  for (const day of splitAtMidnights(selection.zone, fromMs, toMs)) {
    let runStart: number | null = null;
    const finishRun = (runEnd: number) => {
      if (runStart !== null) push(picked, runStart, runEnd, takePart(index, runStart, runEnd));
      runStart = null;
    };
    spreadOverQuarterHours(day.start, day.end, (quarter, partStart) => {
      if (!selection.isSelected(quarter, partStart)) finishRun(partStart);
      else runStart ??= partStart;
    });
    finishRun(day.end);
  }
}

function push(picked: Picked, start: number, end: number, value: number): void {
  picked.starts.push(start);
  picked.ends.push(end);
  picked.values.push(value);
}
