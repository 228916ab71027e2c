// What the sleeps and workouts of some days tell of their metrics: those that are shown, and each device's own.

import type { SessionsOfDay } from '../../../domain/consolidate/day-value.ts';
import type { MetricId } from '../../../domain/metrics/index.ts';
import { SLEEP_METRICS } from '../../../domain/metrics/session-metrics.ts';
import { listDays } from '../../../domain/packed/month-sheets/index.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import type { Session, SessionCandidate } from '../../../domain/sessions/sessions.ts';
import {
  type DaySleep,
  fillSleeps,
  findMainSleep,
  findSeenNight,
  type SleepDay,
  type SleepGroup,
  sumByDevice,
  summarizeSleepDay,
} from '../../../domain/sleep/index.ts';
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import type { Zone } from '../../../domain/time/day.ts';
import { consolidateWorkouts, findZones, summarizeWorkoutDay } from '../../../domain/workouts/index.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import {
  createHeartRateRange,
  type HeartRateRangeByDate,
  RESTING_HEART_RATE,
  RESTING_REACH_DAYS,
  readObservedMaxFor,
} from '../../store/heart-rate-range/index.ts';
import { readWorkoutsOfDates } from '../../store/session-store/index.ts';
import { readProfile } from '../../tenancy/user-core/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import {
  addDevices,
  consolidateGroups,
  groupSleeps,
  listCanonicalSleeps,
  listHidden,
  readSleepRecords,
  type SleepRecord,
} from './sleep-records.ts';

export type SessionDay = {
  readonly canonical: ReadonlyMap<MetricId, SessionsOfDay>;
  readonly deviceValues: ReadonlyMap<DeviceNumber, ReadonlyMap<MetricId, number>>;
  /** Of the nights of one device. */
  hrvKindOf?(device: DeviceNumber): HrvKind | null;
};
/** A day without any is not in it. */
export type SessionDays = ReadonlyMap<LocalDate, SessionDay>;

export async function readSleepDays(
  context: ConsolidationContext,
  dates: ReadonlySet<LocalDate>,
): Promise<SessionDays> {
  if (dates.size === 0) return new Map();
  const days = new Map<LocalDate, SessionDay>();
  const yieldIfDue = createYielder();
  for (const [date, records] of await readSleepRecords(context, dates)) {
    const night = findMainSleep(listCanonicalSleeps(records), context.zone);
    const summarize = (groups: readonly SleepGroup<SleepRecord>[]) =>
      summarizeHeard(context, date, fillSleeps(groups, context.zone), night);
    days.set(date, {
      canonical: describeCanonical(context, SLEEP_METRICS, records.all, (hidden) =>
        describeSleepDay(summarize(groupSleeps(records, hidden))),
      ),
      deviceValues: describeByDevice(
        records.ofDate,
        (deviceValues) => summarize(consolidateGroups(deviceValues)).values,
      ),
      hrvKindOf: (number) =>
        summarize(consolidateGroups(records.ofDate.filter(({ device }) => device.number === number))).hrvKind,
    });
    await yieldIfDue();
  }
  return days;
}

/** `night` is the night that is shown for the date; empty where none is. */
export function summarizeHeard(
  { zone }: ConsolidationContext,
  date: LocalDate,
  heard: readonly DaySleep[],
  night: readonly SessionCandidate<Session>[],
): SleepDay {
  return summarizeSleepDay(date, heard, zone, findHeardNight(heard, night, zone));
}

/** Of the sleeps that count for a metric, those of the night. */
export function findHeardNight<Kind extends DaySleep>(
  heard: readonly Kind[],
  night: readonly SessionCandidate<Session>[],
  zone: Zone,
): Kind[] {
  return night.length === 0 ? findMainSleep(heard, zone) : findSeenNight(heard, night, zone);
}

export async function readWorkoutDays(
  context: ConsolidationContext,
  dates: ReadonlySet<LocalDate>,
): Promise<SessionDays> {
  if (dates.size === 0) return new Map();
  const workouts = await readWorkoutsOfDates(context.tx, context.user, [...dates]);
  if (workouts.size === 0) return new Map();
  const limits = await openHeartLimits(context, workouts.keys());
  const days = new Map<LocalDate, SessionDay>();
  const yieldIfDue = createYielder();
  for (const [date, stored] of workouts) {
    const ofDate = addDevices(context, stored).map((one) => ({
      ...one,
      zones: findZones(one.session, one.histogram, limits.on(date)),
    }));
    days.set(date, {
      canonical: summarizeWorkoutDay(ofDate.filter(isCanonical)), // the choice of workouts is not part of consolidation
      deviceValues: describeByDevice(
        ofDate,
        (deviceValues) =>
          new Map(
            [...summarizeWorkoutDay(pickStanding(deviceValues, consolidateWorkouts))].map(([metric, { value }]) => [
              metric,
              value,
            ]),
          ),
      ),
    });
    await yieldIfDue();
  }
  return days;
}

/** What is shown speaks; where a provider is off for a metric, what would be shown without it. */
function describeCanonical(
  { rules }: ConsolidationContext,
  metrics: ReadonlySet<MetricId>,
  records: readonly { readonly device: SourceDevice }[],
  tell: (hiddenProviders: readonly string[]) => ReadonlyMap<MetricId, SessionsOfDay>,
): ReadonlyMap<MetricId, SessionsOfDay> {
  const groups = Map.groupBy(metrics, (id) => listHidden(rules, id, records).join());
  const reported = new Map<MetricId, SessionsOfDay>();
  for (const [hidden, ids] of groups) {
    const values = tell(hidden === '' ? [] : hidden.split(','));
    for (const id of ids) {
      const value = values.get(id);
      if (value !== undefined) reported.set(id, value);
    }
  }
  return reported;
}

/** From the days as they are being chosen, not as they were stored; peaks are stored by the time workouts have their turn. */
export async function openHeartLimits(
  context: ConsolidationContext,
  dates: Iterable<LocalDate>,
): Promise<HeartRateRangeByDate> {
  const { tx, user, days } = context;
  const sorted = [...dates].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  await days.load(sorted.flatMap((date) => listDays(addDays(date, -RESTING_REACH_DAYS), date)));
  const profile = await readProfile(tx, user);
  const isNone = first === undefined || last === undefined;
  const maxima = isNone ? [] : await readObservedMaxFor(tx, user, profile, first, last);
  return createHeartRateRange(profile, (date) => days.chosen(RESTING_HEART_RATE, date)?.value ?? null, maxima);
}

/** Each metric with the devices whose records it is from, and what each of them gave. */
function describeSleepDay({ values, parts, hrvKind }: SleepDay): ReadonlyMap<MetricId, SessionsOfDay> {
  return new Map(
    [...values].map(([metric, value]) => {
      const amounts = sumByDevice(parts(metric));
      return [metric, { value, devices: [...amounts.keys()], amounts, hrvKind }];
    }),
  );
}

function isCanonical({ duplicateOf }: { readonly duplicateOf: string | null }): boolean {
  return duplicateOf === null;
}

/** Of several records of one thing the one that stands, as if these were all there are. */
function pickStanding<Stored extends SessionCandidate<Session>>(
  candidates: readonly Stored[],
  consolidate: (candidates: readonly Stored[]) => readonly SessionCandidate<Session>[],
): Stored[] {
  const standing = new Set(consolidate(candidates).map(({ session }) => session));
  return candidates.filter(({ session }) => standing.has(session));
}

function describeByDevice<Stored extends { readonly device: SourceDevice }>(
  stored: readonly Stored[],
  tell: (deviceValues: readonly Stored[]) => ReadonlyMap<MetricId, number>,
): ReadonlyMap<DeviceNumber, ReadonlyMap<MetricId, number>> {
  const groups = Map.groupBy(stored, ({ device }) => device.number);
  return new Map([...groups].map(([number, deviceValues]) => [number, tell(deviceValues)]));
}
