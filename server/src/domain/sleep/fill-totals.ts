// Fills in minutes that the canonical record of a sleep does not have, from its duplicates. Filled values never
// contradict the rest: time asleep plus time awake never exceeds time in bed. Minutes of light, deep and REM sleep come
// from one record, so that they add up.

import type { MetricId } from '../metrics/index.ts';
import { hasSleep, overlapMs, SESSION_DETAILS } from '../records/session.ts';
import { MINUTE_MS } from '../time/durations.ts';
import { MIN_FRAGMENT_COVERAGE } from './consolidate-sleeps.ts';
import { FRAGMENT_MS } from './main-sleep.ts';
import { findSleepDetail } from './sleep-detail.ts';
import type { SleepRecord } from './sleep-record.ts';
import { type SleepTotals, totalSleep } from './sleep-totals.ts';

/** Totals that a record reports or its stages give; the others are derived. */
export type FilledTotal = Exclude<keyof SleepTotals, 'restorative' | 'efficiencyPct'>;
export type FilledTotals = {
  readonly totals: Partial<Pick<SleepTotals, FilledTotal>>;
  readonly givers: { readonly [Total in FilledTotal]?: SleepRecord };
};

/** The highest-ranked of some records for a metric. */
type PickBest = (metric: MetricId, records: readonly SleepRecord[]) => SleepRecord | null;

export function fillTotals(
  canonical: SleepRecord,
  duplicates: readonly SleepRecord[],
  pickBest: PickBest,
): FilledTotals {
  return fillFromPart(canonical, duplicates, pickBest) ?? fillInOrder(canonical, duplicates, pickBest);
}

/** Whether the duplicate covers enough of the sleep to use its minutes for the sleep. */
export function coversSleep(copy: SleepRecord, { session }: SleepRecord): boolean {
  return overlapMs(copy.session, session) >= MIN_FRAGMENT_COVERAGE * (session.end - session.start);
}

const MINUTES = ['asleep', 'light', 'deep', 'rem', 'awake', 'inBed'] as const satisfies FilledTotal[];

/**
 * If only start and end of a night are known, another device may have recorded a part. All minutes come from that part,
 * because minutes of several records would contradict each other. A shorter record is a nap or a fragment and does not
 * describe the night.
 */
function fillFromPart(
  canonical: SleepRecord,
  duplicates: readonly SleepRecord[],
  pickBest: PickBest,
): FilledTotals | null {
  if (findSleepDetail(canonical.session) !== 'times') return null;
  const parts = duplicates
    .filter(({ session }) => session.end - session.start >= FRAGMENT_MS)
    .map((record) => ({ record, detail: findSleepDetail(record.session) }))
    .filter(({ detail }) => hasSleep(detail));
  const best = SESSION_DETAILS.find((level) => parts.some(({ detail }) => detail === level));
  const ofBest = parts.filter(({ detail }) => detail === best).map(({ record }) => record);
  const part = pickBest('asleep' as MetricId, ofBest);
  return part === null ? null : takeTotals(MINUTES, totalSleep(part.session), part);
}

type Step = {
  /** Filled in together from one record, if none of them is known. */
  readonly totals: readonly FilledTotal[];
  /** The metric whose device ranking decides among matching records. */
  readonly metric: string;
  readonly fits: (copy: SleepTotals, known: SleepTotals, lastsMinutes: number) => boolean;
};

/** Asleep plus awake must fit into the time in bed, or into the sleep if that is unknown. */
const fitsInBed = (minutes: readonly (number | null)[], inBed: number): boolean =>
  minutes.reduce<number>((sum, one) => sum + (one ?? 0), 0) <= inBed;

/**
 * In order: time awake comes from the record that provides the time in bed if one has both and they fit, else from any
 * that fits.
 */
const STEPS: readonly Step[] = [
  {
    totals: ['asleep'],
    metric: 'asleep',
    fits: ({ asleep }, { light, deep, rem, awake, inBed }, lasts) =>
      fitsInBed([light, deep, rem], asleep ?? 0) && fitsInBed([asleep, awake], inBed ?? lasts),
  },
  {
    totals: ['inBed', 'awake'],
    metric: 'time_in_bed',
    fits: ({ inBed, awake }, { asleep }) => fitsInBed([asleep, awake], inBed ?? 0),
  },
  {
    totals: ['inBed'],
    metric: 'time_in_bed',
    fits: ({ inBed }, { asleep, awake }) => fitsInBed([asleep, awake], inBed ?? 0),
  },
  {
    totals: ['awake'],
    metric: 'time_awake',
    fits: ({ awake }, { asleep, inBed }, lasts) => fitsInBed([asleep, awake], inBed ?? lasts),
  },
  {
    totals: ['latency'],
    metric: 'sleep_latency',
    fits: ({ latency }, { asleep, inBed }, lasts) => fitsInBed([asleep, latency], inBed ?? lasts),
  },
  {
    totals: ['wakeAfterOnset', 'awakenings'],
    metric: 'wake_after_sleep_onset',
    fits: ({ wakeAfterOnset }, { asleep, awake, inBed }, lasts) =>
      fitsInBed([wakeAfterOnset], awake ?? lasts) && fitsInBed([asleep, wakeAfterOnset], inBed ?? lasts),
  },
];

function fillInOrder(canonical: SleepRecord, duplicates: readonly SleepRecord[], pickBest: PickBest): FilledTotals {
  const candidates = duplicates
    .filter((copy) => coversSleep(copy, canonical))
    .map((record) => ({ record, totals: totalSleep(record.session) }));
  const lastsMinutes = (canonical.session.end - canonical.session.start) / MINUTE_MS;
  const own = totalSleep(canonical.session);
  let filled: FilledTotals = { totals: {}, givers: {} };
  for (const { totals, metric, fits } of candidates.length === 0 ? [] : STEPS) {
    const known = { ...own, ...filled.totals };
    if (totals.some((total) => known[total] !== null)) continue;
    const fitting = candidates.filter(
      (copy) => totals.every((total) => copy.totals[total] !== null) && fits(copy.totals, known, lastsMinutes),
    );
    const best = pickBest(
      metric as MetricId,
      fitting.map(({ record }) => record),
    );
    const giver = fitting.find(({ record }) => record === best);
    if (giver === undefined) continue;
    const taken = takeTotals(totals, giver.totals, giver.record);
    filled = { totals: { ...filled.totals, ...taken.totals }, givers: { ...filled.givers, ...taken.givers } };
  }
  return filled;
}

function takeTotals(names: readonly FilledTotal[], totals: SleepTotals, giver: SleepRecord): FilledTotals {
  const known = names.filter((name) => totals[name] !== null);
  return {
    totals: Object.fromEntries(known.map((name) => [name, totals[name]])),
    givers: Object.fromEntries(known.map((name) => [name, giver])),
  };
}
