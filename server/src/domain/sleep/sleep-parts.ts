// The records behind the sleep metrics of a day, and the part of the value from each.

import type { MetricId } from '../metrics/metric.ts';
import type { DeviceId } from '../tenancy.ts';
import { MINUTE_MS } from '../time/durations.ts';
import type { DaySleep, FilledField } from './fill-sleep.ts';
import type { SleepRecord } from './sleep-record.ts';
import { efficiency, type SleepTotals, totalSleep } from './sleep-totals.ts';
import { SLEEP_VITAL_FIELDS, type SleepVitalField, weighVital } from './sleep-vitals.ts';

export type ReportedSleep = Pick<DaySleep, 'session' | 'givers'> & {
  readonly device: { readonly id: DeviceId };
  readonly totals: SleepTotals;
};

export type SleepPart = {
  readonly device: DeviceId;
  /** The key of the record, as its device names it. */
  readonly key: string;
  /** Its share of the value: all shares add up to it. */
  readonly amount: number;
};

type ReportedNight = {
  readonly main: readonly ReportedSleep[];
  readonly naps: readonly ReportedSleep[];
  /** Minutes after midnight of the day. */
  clock(epochMs: number): number;
};

/** Which sleeps of a day a metric describes. */
type Scope = 'all' | 'main' | 'first' | 'last' | 'ends' | 'naps';
const PICKED: Readonly<Record<Scope, <Sleep>(main: readonly Sleep[], naps: readonly Sleep[]) => readonly Sleep[]>> = {
  all: (main, naps) => [...main, ...naps],
  main: (main) => main,
  first: (main) => main.slice(0, 1),
  last: (main) => main.slice(-1),
  ends: (main) => [...new Set([...main.slice(0, 1), ...main.slice(-1)])],
  naps: (_, naps) => naps,
};

type Source = {
  readonly scope: Scope;
  readonly list: (sleeps: readonly ReportedSleep[], night: ReportedNight) => SleepPart[];
};

const SOURCES: Readonly<Record<string, Source>> = {
  asleep: ofTotal('asleep'),
  time_in_bed: ofTotal('inBed'),
  time_awake: ofTotal('awake'),
  light_sleep: ofTotal('light'),
  deep_sleep: ofTotal('deep'),
  REM: ofTotal('rem'),
  restorative_sleep: ofTotal('restorative', 'all', 'deep'),
  nap_duration: { scope: 'naps', list: (naps) => naps.flatMap((nap) => toParts(nap, napMinutes(nap), 'asleep')) },
  sleep_efficiency: { scope: 'main', list: listEfficiency },
  sleep_latency: ofTotal('latency', 'first'),
  wake_after_sleep_onset: ofTotal('wakeAfterOnset', 'main'),
  awakenings: ofTotal('awakenings', 'main'),
  sleep_start: ofClock('first', ({ session }, clock) => clock(session.start)),
  sleep_end: ofClock('last', ({ session }, clock) => clock(session.end)),
  sleep_midpoint: {
    scope: 'ends',
    list: (ends, { clock }) =>
      ends.flatMap((sleep, index) => {
        const start = index === 0 ? clock(sleep.session.start) / 2 : 0;
        const end = index === ends.length - 1 ? clock(sleep.session.end) / 2 : 0;
        return toParts(sleep, start + end);
      }),
  },
  ...Object.fromEntries(
    Object.entries(SLEEP_VITAL_FIELDS).map(([metric, field]) => [
      metric,
      { scope: 'main', list: (main) => listVital(main, field) } satisfies Source,
    ]),
  ),
};

function ofTotal(total: keyof SleepTotals, scope: Scope = 'all', field = total as FilledField): Source {
  return { scope, list: (sleeps) => sleeps.flatMap((sleep) => toParts(sleep, sleep.totals[total], field)) };
}

function ofClock(scope: Scope, read: (sleep: ReportedSleep, clock: ReportedNight['clock']) => number): Source {
  return { scope, list: (sleeps, { clock }) => sleeps.flatMap((sleep) => toParts(sleep, read(sleep, clock))) };
}

/** Empty without an amount; divided evenly if several records are needed for it. */
function toParts(sleep: ReportedSleep, amount: number | null, ...fields: FilledField[]): SleepPart[] {
  if (amount === null) return [];
  const givers = new Set(fields.length === 0 ? [sleep] : fields.map((field) => sleep.givers?.[field] ?? sleep));
  return [...givers].map(({ device, session }) => ({
    device: device.id,
    key: session.key,
    amount: amount / givers.size,
  }));
}

function listEfficiency(main: readonly ReportedSleep[]): SleepPart[] {
  const whole = main.filter(({ totals }) => totals.asleep !== null && totals.inBed !== null);
  const sum = (read: (totals: SleepTotals) => number | null) =>
    whole.reduce((minutes, { totals }) => minutes + (read(totals) ?? 0), 0);
  const asleep = sum((totals) => totals.asleep);
  const percent = efficiency(
    asleep,
    sum((totals) => totals.inBed),
  );
  if (percent === null) return [];
  const shareOf = ({ totals }: ReportedSleep) => (asleep === 0 ? 0 : (percent * (totals.asleep ?? 0)) / asleep);
  return whole.flatMap((sleep) => toParts(sleep, shareOf(sleep), 'asleep', 'inBed'));
}

function listVital(main: readonly ReportedSleep[], field: SleepVitalField): SleepPart[] {
  const weighed = weighVital(main, field);
  const weight = weighed.reduce((sum, one) => sum + one.weight, 0);
  return weighed.map(({ giver, value, weight: own }) => ({
    device: giver.device.id,
    key: giver.session.key,
    amount: value * (own / weight),
  }));
}

/** A nap without minutes asleep counts with its duration, because naps rarely have stages. */
export function napMinutes({ session, totals }: Pick<ReportedSleep, 'session' | 'totals'>): number {
  return totals.asleep ?? (session.end - session.start) / MINUTE_MS;
}

/** Parts of the main sleep first, by start. */
export function listSleepParts(metric: MetricId, night: ReportedNight): SleepPart[] {
  const source = SOURCES[metric];
  return source === undefined ? [] : source.list(PICKED[source.scope](night.main, night.naps), night);
}

/** Whether a metric describes this sleep, among those of a day. */
export function isDescribed<Sleep>(
  metric: MetricId,
  sleep: Sleep,
  { main, naps }: { readonly main: readonly Sleep[]; readonly naps: readonly Sleep[] },
): boolean {
  const source = SOURCES[metric];
  return source !== undefined && PICKED[source.scope](main, naps).includes(sleep);
}

/** The value of a metric in one record alone, as the main sleep or as a nap. */
export function readSleepMetric(
  metric: MetricId,
  { session }: Pick<SleepRecord, 'session'>,
  clock: ReportedNight['clock'],
): number | null {
  const sleep = { session, totals: totalSleep(session), device: { id: '' as DeviceId } };
  const asMain = listSleepParts(metric, { main: [sleep], naps: [], clock });
  return (asMain[0] ?? listSleepParts(metric, { main: [], naps: [sleep], clock })[0])?.amount ?? null;
}

/** The share of each device, the devices of the main sleep first. */
export function sumByDevice(parts: readonly SleepPart[]): Map<DeviceId, number> {
  const byDevice = Map.groupBy(parts, ({ device }) => device);
  return new Map([...byDevice].map(([device, own]) => [device, own.reduce((sum, { amount }) => sum + amount, 0)]));
}
