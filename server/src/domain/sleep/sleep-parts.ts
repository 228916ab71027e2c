// Which records the sleep metrics of a day are made from, and what each of them adds: who gave a value, and how much of it.
import type { MetricId } from '../metrics/metric.ts';
import type { DeviceId } from '../tenancy.ts';
import type { DaySleep, FilledField, SleepRecord } from './fill-sleep.ts';
import { type SleepTotals, totalSleep } from './sleep-totals.ts';
import { SLEEP_VITAL_FIELDS } from './sleep-vitals.ts';

export type ToldSleep = Pick<DaySleep, 'session' | 'givers'> & {
  readonly device: { readonly id: DeviceId };
  readonly totals: SleepTotals;
};

export type SleepPart = {
  readonly device: DeviceId;
  /** The record's, as its device names it. */
  readonly key: string;
  readonly amount: number;
};

export type ToldNight = {
  readonly main: readonly ToldSleep[];
  readonly naps: readonly ToldSleep[];
  /** Minutes after midnight of the day. */
  clock(epochMs: number): number;
};
type Source = {
  readonly from: (night: ToldNight) => readonly ToldSleep[];
  readonly read: (sleep: ToldSleep, clock: ToldNight['clock']) => number | null;
  /** The field that another record may have filled in. */
  readonly field?: FilledField;
};

type PickSleeps = Source['from'];
const all: PickSleeps = ({ main, naps }) => [...main, ...naps];
const main: PickSleeps = ({ main }) => main;
const ends: PickSleeps = ({ main }) => [...new Set([...main.slice(0, 1), ...main.slice(-1)])];
const ofTotals = (read: (totals: SleepTotals) => number | null, from = all): Source => ({
  from,
  read: ({ totals }) => read(totals),
});

const SOURCES: Readonly<Record<string, readonly Source[]>> = {
  asleep: [ofTotals(({ asleep }) => asleep)],
  time_in_bed: [{ ...ofTotals(({ inBed }) => inBed), field: 'inBedMinutes' }],
  time_awake: [ofTotals(({ awake }) => awake)],
  light_sleep: [ofTotals(({ light }) => light)],
  deep_sleep: [ofTotals(({ deep }) => deep)],
  REM: [ofTotals(({ rem }) => rem)],
  restorative_sleep: [ofTotals(({ restorative }) => restorative)],
  nap_duration: [{ from: ({ naps }) => naps, read: napMinutes }],
  sleep_efficiency: [
    ofTotals(({ efficiencyPct }) => efficiencyPct, main),
    { ...ofTotals(({ efficiencyPct }) => efficiencyPct, main), field: 'inBedMinutes' },
  ],
  sleep_latency: [
    ofTotals(
      ({ latency }) => latency,
      ({ main }) => main.slice(0, 1),
    ),
  ],
  wake_after_sleep_onset: [ofTotals(({ wakeAfterOnset }) => wakeAfterOnset, main)],
  awakenings: [ofTotals(({ awakenings }) => awakenings, main)],
  sleep_start: [{ from: ({ main }) => main.slice(0, 1), read: ({ session }, clock) => clock(session.start) }],
  sleep_end: [{ from: ({ main }) => main.slice(-1), read: ({ session }, clock) => clock(session.end) }],
  sleep_midpoint: [{ from: ends, read: ({ session }, clock) => (clock(session.start) + clock(session.end)) / 2 }],
  ...Object.fromEntries(
    Object.entries(SLEEP_VITAL_FIELDS).map(([metric, field]) => [
      metric,
      [{ from: main, read: ({ session }: ToldSleep) => session[field], field }],
    ]),
  ),
};

/** A nap without minutes asleep counts as long as it lasted: naps are seldom staged. */
export function napMinutes({ session, totals }: Pick<ToldSleep, 'session' | 'totals'>): number {
  return totals.asleep ?? (session.end - session.start) / 60_000;
}

/** Parts of the main sleep first, by start. */
export function listParts(metric: MetricId, night: ToldNight): SleepPart[] {
  return (SOURCES[metric] ?? []).flatMap(({ from, read, field }) =>
    from(night).flatMap((sleep) => {
      const amount = read(sleep, night.clock);
      const giver = (field && sleep.givers?.[field]) ?? sleep;
      return amount === null ? [] : [{ device: giver.device.id, key: giver.session.key, amount }];
    }),
  );
}

/** What one record alone says of a metric, as the main sleep or as a nap. */
export function readSleepMetric(
  metric: MetricId,
  { session }: Pick<SleepRecord, 'session'>,
  clock: ToldNight['clock'],
): number | null {
  const sleep = { session, totals: totalSleep(session), device: { id: '' as DeviceId } };
  const asMain = listParts(metric, { main: [sleep], naps: [], clock });
  return (asMain[0] ?? listParts(metric, { main: [], naps: [sleep], clock })[0])?.amount ?? null;
}

/** Metrics whose value is the sum of their parts; of the others a part is a value by itself. */
const SUMMED = new Set<string>([
  ...['asleep', 'time_in_bed', 'time_awake', 'light_sleep', 'deep_sleep', 'REM', 'restorative_sleep', 'nap_duration'],
  ...['wake_after_sleep_onset', 'awakenings'],
]);

/** By device, the devices of the main sleep first: what it gave. Null: its parts are no sum, and there are several. */
export function sumByDevice(metric: MetricId, parts: readonly SleepPart[]): Map<DeviceId, number | null> {
  const byDevice = Map.groupBy(parts, ({ device }) => device);
  return new Map(
    [...byDevice].map(([device, [first, ...others]]) => {
      if (others.length === 0) return [device, first?.amount ?? null];
      const isSum = SUMMED.has(metric);
      return [device, isSum ? others.reduce((sum, { amount }) => sum + amount, first?.amount ?? 0) : null];
    }),
  );
}
