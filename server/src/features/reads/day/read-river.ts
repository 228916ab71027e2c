// Everything that devices measured on a day, on one axis of time: sleeps, workouts, levels and totals, with the source of every
// quarter hour.

import { createRules } from '../../../domain/consolidate/consolidation-rules.ts';
import { findQuarterHourOwners, rankContributors } from '../../../domain/consolidate/index.ts';
import { isAdditive, METRICS, type Method, type Metric } from '../../../domain/metrics/index.ts';
import type { SampleColumns } from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { createZone, type Day } from '../../../domain/time/day.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import type { Interval } from '../../../domain/time/intervals.ts';
import { QUARTER_HOUR_MS, quarterHourOf } from '../../../domain/time/quarter-hours.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { explainQuarterHoursOf, type QuarterHoursOfMetric } from '../../pipeline/ingest/index.ts';
import { addDevices, listSourceDevices, type SourceDevice } from '../../store/devices/index.ts';
import { countSamples, normalizedSeries, readSamples } from '../../store/samples/index.ts';
import {
  readSleepsOfDates,
  readWorkoutsOfDates,
  type StoredSleep,
  type StoredWorkout,
} from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { type SampleChart, toSampleChart } from './thin-samples.ts';

type OnDevice<Stored> = Omit<Stored, 'device'> & { readonly device: SourceDevice };

type BandOfDevice = {
  readonly device: DeviceNumber;
  /** Levels only. */
  readonly samples: SampleChart | null;
  /** Totals only: one entry per quarter hour of the day. */
  readonly quarterHours: Pick<QuarterHoursOfMetric['devices'][number], 'measured' | 'counted'> | null;
};

export type RiverBand = {
  readonly metric: Metric;
  readonly method: Method;
  /** The enabled devices, highest rank first. */
  readonly order: readonly DeviceNumber[];
  readonly devices: readonly BandOfDevice[];
  /** By quarter hour: of the river for levels, of the day for totals. */
  readonly sources: readonly (DeviceNumber | null)[];
};

export type River = {
  readonly zone: string;
  readonly day: Day;
  readonly fromMs: number;
  readonly toMs: number;
  readonly sleeps: readonly OnDevice<StoredSleep>[];
  readonly workouts: readonly OnDevice<StoredWorkout>[];
  readonly bands: readonly RiverBand[];
  /** Metrics with samples, which can be added as a band. */
  readonly available: readonly Metric[];
};

/** The river begins with the main sleep, but not earlier than this before midnight. */
const MAX_BEFORE_MIDNIGHT_MS = 6 * HOUR_MS;
const SAMPLED = METRICS.filter(({ samples }) => samples !== 'no');

export async function readRiver(
  tx: Transaction,
  user: UserHandle,
  date: LocalDate,
  metrics: readonly Metric[],
): Promise<River> {
  const zone = createZone(user.timezone);
  const day = zone.dayOf(date);
  const devices = await listSourceDevices(tx, user);
  // The night after the day begins before its midnight and counts toward the next day.
  const dates = [date, addDays(date, 1)];
  const sleepsOf = await readSleepsOfDates(tx, user, dates);
  const sleeps = addDevices({ devices }, [...sleepsOf.values()].flat());
  const workoutsOf = await readWorkoutsOfDates(tx, user, [date]);
  const workouts = addDevices({ devices }, workoutsOf.get(date) ?? []);
  const range = { fromMs: findStart(day, sleeps), toMs: day.end };
  const isVisible = ({ session }: { session: Interval }) => session.end > range.fromMs && session.start < range.toMs;
  const counts = await countSamples(
    tx,
    user,
    SAMPLED.map(({ id }) => id),
    { fromMs: day.start, toMs: day.end },
  );
  return {
    zone: zone.name,
    day,
    ...range,
    sleeps: sleeps.filter(isVisible),
    workouts: workouts.filter(isVisible),
    bands: await readBands(tx, user, { metrics, date, range, devices }),
    available: SAMPLED.filter(({ id }) => (counts.get(id) ?? []).length > 0),
  };
}

/** On a quarter hour, so that quarter hours of the river and of the day meet. */
function findStart(day: Day, sleeps: readonly OnDevice<StoredSleep>[]): number {
  const starts = sleeps.filter(({ date, isMain }) => date === day.date && isMain).map(({ session }) => session.start);
  const first = Math.min(day.start, ...starts);
  const earliest = Math.max(first, day.start - MAX_BEFORE_MIDNIGHT_MS);
  return Math.min(day.start, quarterHourOf(earliest) * QUARTER_HOUR_MS);
}

type BandQuery = {
  readonly metrics: readonly Metric[];
  readonly date: LocalDate;
  readonly range: { readonly fromMs: number; readonly toMs: number };
  readonly devices: readonly SourceDevice[];
};

async function readBands(tx: Transaction, user: UserHandle, query: BandQuery): Promise<RiverBand[]> {
  const { metrics, date, range } = query;
  const totals = await explainQuarterHoursOf(tx, user, metrics.filter(isAdditive), date);
  const levels = metrics.filter((metric) => !isAdditive(metric));
  const samples = await readSamples(
    tx,
    user,
    levels.map(({ id }) => ({ metric: id, ...range })),
  );
  return metrics.map((metric) => {
    const total = totals.find(({ judged }) => judged.metric.id === metric.id);
    return total === undefined
      ? toLevelBand(user, metric, samples.get(metric.id) ?? new Map(), query)
      : toTotalBand(user, total, query);
  });
}

function describeBand(user: UserHandle, metric: Metric, devices: readonly SourceDevice[]) {
  const rules = createRules(user.consolidation);
  const known = new Map(devices.map(({ number }) => [number, true]));
  const ranked = rankContributors(metric, { devices, isEnabled: rules.isEnabled }, known);
  return { metric, method: rules.methodOf(metric), order: ranked.map(({ device }) => device.number) };
}

/** As in timeseries, each quarter hour comes from the highest-ranked device with a sample in it. */
function toLevelBand(
  user: UserHandle,
  metric: Metric,
  samples: ReadonlyMap<DeviceNumber, SampleColumns>,
  { range, devices }: BandQuery,
): RiverBand {
  const { isEnabled } = createRules(user.consolidation);
  const isInside = (start: number) => start >= range.fromMs && start < range.toMs;
  const ranked = rankContributors(metric, { devices, isEnabled }, samples);
  const owners = findQuarterHourOwners(
    ranked.map(({ device, samples: { starts } }) => ({
      device,
      indexes: Array.from(starts).filter(isInside).map(quarterHourOf),
    })),
  );
  const sourceAt = (quarter: number) => ranked[owners.get(quarter) ?? -1]?.device.number ?? null;
  return {
    ...describeBand(user, metric, devices),
    devices: devices.flatMap(({ number }) => {
      const columns = samples.get(number);
      const chart =
        columns === undefined
          ? null
          : toSampleChart(normalizedSeries(metric, columns), { ...range, decimals: metric.decimals });
      return chart === null ? [] : [{ device: number, samples: chart, quarterHours: null }];
    }),
    sources: listQuarters(range).map(sourceAt),
  };
}

/** The source of a quarter hour is the highest-ranked device that counts in it. */
function toTotalBand(
  user: UserHandle,
  { judged, devices: ofDevices }: QuarterHoursOfMetric,
  query: BandQuery,
): RiverBand {
  const quarters = ofDevices[0]?.measured ?? [];
  return {
    ...describeBand(user, judged.metric, query.devices),
    devices: ofDevices.map(({ device: { number }, measured, counted }) => ({
      device: number,
      samples: null,
      quarterHours: { measured, counted },
    })),
    sources: quarters.map(
      (_, index) => ofDevices.find(({ counted }) => counted[index] !== null)?.device.number ?? null,
    ),
  };
}

function listQuarters({ fromMs, toMs }: BandQuery['range']): number[] {
  const first = quarterHourOf(fromMs);
  return Array.from({ length: Math.max(0, quarterHourOf(toMs - 1) - first + 1) }, (_, index) => first + index);
}
