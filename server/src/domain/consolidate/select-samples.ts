// What of one device's samples is in the timeseries: the quarter hours that were chosen from it (gap G-36).
import { splitAtMidnights, type Zone } from '../day.ts';
import { endAt, quarterHourOf, type SampleSeries, spreadOverQuarterHours, takeShare } from '../quarter-hours.ts';

type Picked = { starts: number[]; ends: number[]; values: number[] };

export type Selection = {
  /** Totals are divided, levels are not (`isAdditive`). */
  readonly isAdditive: boolean;
  readonly isChosen: (quarter: number) => boolean;
  readonly fromMs: number;
  readonly toMs: number;
  readonly zone: Zone;
};

/**
 * A level is in the quarter hour it began in. A total's interval may reach over several, of which another device may own
 * some: only the chosen parts are given, pro rata, and cut at local midnights, so that a day's values add up to its merged
 * total. An interval that is chosen as a whole, as nearly all are, stays as it was sent.
 */
export function selectSamples(samples: SampleSeries, selection: Selection): SampleSeries {
  const picked: Picked = { starts: [], ends: [], values: [] };
  for (let index = 0; index < samples.starts.length; index++) {
    const start = samples.starts[index] as number;
    const end = endAt(samples, index);
    const value = samples.values[index] as number;
    if (selection.isAdditive && end > start) pickParts(picked, start, end, value, selection);
    else if (start >= selection.fromMs && start < selection.toMs && selection.isChosen(quarterHourOf(start)))
      push(picked, start, end, value);
  }
  return picked;
}

/** The quarter hours that a device can be chosen for, ascending. */
export function listTouchedQuarterHours(samples: SampleSeries, isAdditive: boolean): number[] {
  const touched = new Set<number>();
  for (let index = 0; index < samples.starts.length; index++) {
    const start = samples.starts[index] as number;
    if (isAdditive) spreadOverQuarterHours(start, endAt(samples, index), (quarter) => touched.add(quarter));
    else touched.add(quarterHourOf(start));
  }
  return [...touched].sort((a, b) => a - b);
}

function pickParts(picked: Picked, start: number, end: number, value: number, selection: Selection): void {
  const fromMs = Math.max(start, selection.fromMs);
  const toMs = Math.min(end, selection.toMs);
  if (fromMs >= toMs) return;
  for (const day of splitAtMidnights(selection.zone, fromMs, toMs)) {
    let runStart: number | null = null;
    const finishRun = (runEnd: number) => {
      if (runStart !== null) push(picked, runStart, runEnd, takeShare(value, start, end, runStart, runEnd));
      runStart = null;
    };
    spreadOverQuarterHours(day.start, day.end, (quarter, partStart) => {
      if (!selection.isChosen(quarter)) finishRun(partStart);
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
