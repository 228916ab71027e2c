// Recomputes every day of a user from the normalized layer, after a change of the time zone, of device ranks or of consolidation
// settings.

import type { MetricId } from '../../../domain/metrics/index.ts';
import { dateOf, listDays, listMonths, type MonthNumber, monthOf } from '../../../domain/packed/month-sheets/index.ts';
import { listReachedDays } from '../../../domain/scores/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { addDays, type DateRange, joinDates, type LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { listStoredMonths } from '../../store/daily-store/index.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import { listSampleIntervals, type SampleInterval } from '../../store/samples/index.ts';
import { listSessionDates, type ReconsolidatedDates, reconsolidateSessions } from '../../store/session-store/index.ts';
import { advanceRevision, type UserHandle } from '../../tenancy/user-core/index.ts';
import { queueEveryDay } from '../scoring/index.ts';
import { consolidateDays, type StoredData, type TouchedDays } from './consolidate-days.ts';
import { type ConsolidationContext, openConsolidation } from './consolidation-context.ts';
import { addPairs, type DayPairs, filterPairs, listDatesOf } from './day-pairs.ts';
import { recordChange } from './record-change.ts';

/**
 * `choice`: only consolidation can give other results. Device values stay the same, so their samples are not read again. After a change
 * of settings, the result is the same as with `all`.
 */
export type RebuildScope = 'all' | 'choice';

/** Only these metrics have other settings. Sessions depend on the settings of all metrics together, so they stay as they are. */
type ChangedMetrics = ReadonlySet<MetricId>;

const NO_SESSIONS: ReconsolidatedDates = {
  sleepDates: new Set(),
  workoutDates: new Set(),
  intervals: { sleep: [], workouts: [] },
  changed: false,
};

/** Months of daily values that are held and written at once, with the samples of one of these months. */
const GROUP_MONTHS = 12;

/**
 * The caller holds the user's lock; readers see all changes at once. A caller that changes settings or ranks also queues every day for
 * scoring: scores read samples by quarter hour, which can change while the daily value stays the same.
 */
export async function rebuildUser(
  tx: Transaction,
  user: UserHandle,
  now: Date,
  scope: RebuildScope | ChangedMetrics = 'all',
): Promise<DayPairs> {
  const devices = await listSourceDevices(tx, user);
  const { zone, rules } = openConsolidation(tx, user, devices);
  const sessions =
    typeof scope === 'string'
      ? await reconsolidateSessions(tx, user, { zone, devices, isProviderOn: rules.isProviderOn }, 'all')
      : NO_SESSIONS;
  const intervals = await listSampleIntervals(tx, user);
  const dates = await listSessionDates(tx, user);
  const stored: StoredData = {
    sampledMetrics: new Set(intervals.map(({ metric }) => metric)),
    sleepDates: new Set([...dates.sleep, ...sessions.sleepDates]),
    workoutDates: new Set([...dates.workouts, ...sessions.workoutDates]),
  };
  const months = listMonthsOf(await listStoredMonths(tx, user), zone, intervals, stored);
  const changed: DayPairs = new Map();
  const rescoreRanges: DateRange[] = listReachedDays(zone, sessions.intervals);
  let hasWritten = false;
  let hasDeletions = false;
  for (let first = 0; first < months.length; first += GROUP_MONTHS) {
    const context = openConsolidation(tx, user, devices);
    const group = months.slice(first, first + GROUP_MONTHS).map(listDatesOfMonth);
    await context.days.load(group.map(([date]) => date));
    for (const ofMonth of group)
      addPairs(changed, await consolidateDays(context, touchMonth(context, scope, ofMonth, intervals, stored)));
    if (context.days.hasRemovals()) hasDeletions = true;
    if (await context.days.flush()) hasWritten = true;
    rescoreRanges.push(...context.rescoreRanges);
  }
  if (changed.size > 0 || sessions.changed) {
    const days = joinDates([
      ...listDatesOf(changed),
      ...(sessions.changed ? [...sessions.sleepDates, ...sessions.workoutDates] : []),
    ]);
    const metrics = new Set(changed.keys());
    await recordChange(
      tx,
      user,
      {
        type: 'subject.synced',
        deviceId: null,
        metrics,
        days,
        hasDeletions,
        isUserInitiated: true,
        rescoreRanges,
      },
      now,
    );
  } else if (hasWritten) await advanceRevision(tx, user); // only contributors changed
  if (hasWritten) await queueEveryDay(tx, user, now); // scores also read contributors
  return changed;
}

/** Every month with data, ascending. */
function listMonthsOf(
  known: readonly MonthNumber[],
  zone: Zone,
  intervals: readonly SampleInterval[],
  { sleepDates, workoutDates }: StoredData,
): MonthNumber[] {
  const months = new Set<MonthNumber>(known);
  for (const { fromMs, toMs } of intervals)
    for (const month of listMonths(zone.dayAt(fromMs).date, zone.dayAt(toMs).date)) months.add(month);
  for (const date of [...sleepDates, ...workoutDates]) months.add(monthOf(date));
  return [...months].sort((a, b) => a - b);
}

type DatesOfMonth = readonly [LocalDate, ...LocalDate[]];

function touchMonth(
  context: ConsolidationContext,
  scope: RebuildScope | ChangedMetrics,
  dates: DatesOfMonth,
  intervals: readonly SampleInterval[],
  stored: StoredData,
): TouchedDays {
  const deviceValues = listDevicePairs(context, dates, intervals);
  const canonical = listCanonicalPairs(context, dates, deviceValues);
  if (typeof scope !== 'string') {
    const others = filterPairs(canonical, (metric) => scope.has(metric));
    return { samples: new Map(), sleepDates: new Set(), workoutDates: new Set(), others, stored };
  }
  return {
    samples: scope === 'all' ? deviceValues : new Map(),
    sleepDates: new Set(dates.filter((date) => stored.sleepDates.has(date))),
    workoutDates: new Set(dates.filter((date) => stored.workoutDates.has(date))),
    others: canonical,
    stored,
    visitsAllWorkouts: true,
  };
}

/** All days of every metric for which the device has samples or values. */
function listDevicePairs(
  { days, devices }: ConsolidationContext,
  dates: DatesOfMonth,
  intervals: readonly SampleInterval[],
): Map<DeviceNumber, DayPairs> {
  const pairsOf = (device: DeviceNumber): DayPairs => {
    const sampled = intervals.filter((interval) => interval.device === device).map(({ metric }) => metric);
    return new Map([...days.deviceMetrics(device, dates[0]), ...sampled].map((metric) => [metric, new Set(dates)]));
  };
  return new Map(devices.map(({ number }) => [number, pairsOf(number)]));
}

/** All days of every metric that has or could have a canonical value. */
function listCanonicalPairs(
  { days }: ConsolidationContext,
  dates: DatesOfMonth,
  deviceValues: ReadonlyMap<DeviceNumber, DayPairs>,
): DayPairs {
  const metrics = new Set([
    ...days.canonicalMetrics(dates[0]),
    ...deviceValues.values().flatMap((pairs) => pairs.keys()),
  ]);
  return new Map([...metrics].map((metric) => [metric, new Set(dates)]));
}

function listDatesOfMonth(month: MonthNumber): DatesOfMonth {
  const first = dateOf(month, 1);
  const next = dateOf((month + 1) as MonthNumber, 1);
  return [first, ...listDays(first, addDays(next, -1)).slice(1)];
}
