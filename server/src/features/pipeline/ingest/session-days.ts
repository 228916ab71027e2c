// Daily values from sleeps and workouts: from the canonical sessions, and from each device's sessions.

import type { SessionsOfDay } from '../../../domain/consolidate/day-value.ts';
import type { MetricId } from '../../../domain/metrics/index.ts';
import { NAPS, SLEEP_METRICS } from '../../../domain/metrics/session-metrics.ts';
import { listDays } from '../../../domain/packed/month-sheets/index.ts';
import type { HrvKind } from '../../../domain/records/records.ts';
import { isCanonical, type Session, type SessionCandidate } from '../../../domain/sessions/sessions.ts';
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
import {
  consolidateWorkouts,
  findZones,
  summarizeWorkoutDay,
  traitsOfWorkout,
} from '../../../domain/workouts/index.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { addDevices, type SourceDevice } from '../../store/devices/index.ts';
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
  consolidateGroups,
  groupSleeps,
  listCanonicalSleeps,
  listHidden,
  readSleepRecords,
  type StoredSleepRecord,
} from './sleep-records.ts';

type SessionDay = {
  readonly canonical: ReadonlyMap<MetricId, SessionsOfDay>;
  readonly deviceValues: ReadonlyMap<DeviceNumber, ReadonlyMap<MetricId, number>>;
  /** The HRV kind of one device's nights. */
  hrvKindOf?(device: DeviceNumber): HrvKind | null;
};
/** Days without sessions are absent. */
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
    const summarize = (groups: readonly SleepGroup<StoredSleepRecord>[]) =>
      summarizeEnabled(context, date, fillSleeps(groups, context.zone), night);
    const canonical = describeCanonical(context, SLEEP_METRICS, records.all, (hidden) =>
      describeSleepDay(summarize(groupSleeps(records, hidden))),
    );
    await yieldIfDue();
    const ofDevices = describeByDevice(records.ofDate, (ofDevice) => summarize(consolidateGroups(ofDevice)));
    days.set(date, {
      canonical,
      deviceValues: addCanonicalNaps(ofDevices, canonical.get(NAPS), records.all),
      hrvKindOf: (number) => ofDevices.get(number)?.hrvKind ?? null,
    });
    await yieldIfDue();
  }
  return days;
}

/** A device whose night overlaps the canonical night may have recorded a nap of the day; then the nap is its value. */
function addCanonicalNaps(
  ofDevices: ReadonlyMap<DeviceNumber, SleepDay>,
  naps: SessionsOfDay | undefined,
  records: readonly StoredSleepRecord[],
): SessionDay['deviceValues'] {
  const added = new Map([...ofDevices].map(([number, { values }]) => [number, values]));
  for (const { device } of records) {
    const amount = naps?.amounts?.get(device.id);
    const values = added.get(device.number);
    if (amount !== undefined && !values?.has(NAPS)) added.set(device.number, new Map(values).set(NAPS, amount));
  }
  return added;
}

/** `night` is the canonical main sleep of the date; empty where there is none. */
export function summarizeEnabled(
  { zone }: ConsolidationContext,
  date: LocalDate,
  enabled: readonly DaySleep[],
  night: readonly SessionCandidate<Session>[],
): SleepDay {
  return summarizeSleepDay(date, enabled, zone, findEnabledNight(enabled, night, zone));
}

/** The sleeps of the night among those whose provider is enabled for a metric. */
export function findEnabledNight<Kind extends DaySleep>(
  enabled: readonly Kind[],
  night: readonly SessionCandidate<Session>[],
  zone: Zone,
): Kind[] {
  return night.length === 0 ? findMainSleep(enabled, zone) : findSeenNight(enabled, night, zone);
}

export async function readWorkoutDays(
  context: ConsolidationContext,
  dates: ReadonlySet<LocalDate>,
): Promise<SessionDays> {
  if (dates.size === 0) return new Map();
  const workouts = await readWorkoutsOfDates(context.tx, context.user, [...dates]);
  if (workouts.size === 0) return new Map();
  const heartRateRange = await openHeartRateRange(context, workouts.keys());
  const days = new Map<LocalDate, SessionDay>();
  const yieldIfDue = createYielder();
  for (const [date, stored] of workouts) {
    const ofDate = addDevices(context, stored).map((one) => ({
      ...one,
      zones: findZones(one.session, one.histogram, heartRateRange.on(date)),
    }));
    days.set(date, {
      canonical: summarizeWorkoutDay(ofDate.filter(isCanonical)), // consolidation settings do not apply to workouts
      deviceValues: describeByDevice(
        ofDate,
        (ofDevice) =>
          new Map(
            [
              ...summarizeWorkoutDay(
                pickCanonical(ofDevice, (records) => consolidateWorkouts(records, traitsOfWorkout)),
              ),
            ].map(([metric, { value }]) => [metric, value]),
          ),
      ),
    });
    await yieldIfDue();
  }
  return days;
}

/** The values of canonical sessions; for metrics with a disabled provider, the values without that provider. */
function describeCanonical(
  { rules }: ConsolidationContext,
  metrics: ReadonlySet<MetricId>,
  records: readonly { readonly device: SourceDevice }[],
  summarize: (hiddenProviders: readonly string[]) => ReadonlyMap<MetricId, SessionsOfDay>,
): ReadonlyMap<MetricId, SessionsOfDay> {
  const groups = Map.groupBy(metrics, (id) => listHidden(rules, id, records).join());
  const described = new Map<MetricId, SessionsOfDay>();
  for (const [hidden, ids] of groups) {
    const values = summarize(hidden === '' ? [] : hidden.split(','));
    for (const id of ids) {
      const value = values.get(id);
      if (value !== undefined) described.set(id, value);
    }
  }
  return described;
}

/** Uses the daily values of this transaction. Observed maxima are stored before workouts are consolidated. */
export async function openHeartRateRange(
  context: ConsolidationContext,
  dates: Iterable<LocalDate>,
): Promise<HeartRateRangeByDate> {
  const { tx, user, days } = context;
  const sorted = [...dates].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  await days.load(sorted.flatMap((date) => listDays(addDays(date, -RESTING_REACH_DAYS), date)));
  const profile = await readProfile(tx, user);
  const isEmpty = first === undefined || last === undefined;
  const maxima = isEmpty ? [] : await readObservedMaxFor(tx, user, profile, first, last);
  return createHeartRateRange(profile, (date) => days.canonicalValue(RESTING_HEART_RATE, date)?.value ?? null, maxima);
}

/** Each metric with the contributing devices and their amounts. */
function describeSleepDay({ values, parts, hrvKind }: SleepDay): ReadonlyMap<MetricId, SessionsOfDay> {
  return new Map(
    [...values].map(([metric, value]) => {
      const amounts = sumByDevice(parts(metric));
      return [metric, { value, devices: [...amounts.keys()], amounts, hrvKind }];
    }),
  );
}

/** The canonical sessions among these candidates, as if there were no others. */
function pickCanonical<Stored extends SessionCandidate<Session>>(
  candidates: readonly Stored[],
  consolidate: (candidates: readonly Stored[]) => readonly SessionCandidate<Session>[],
): Stored[] {
  const canonical = new Set(consolidate(candidates).map(({ session }) => session));
  return candidates.filter(({ session }) => canonical.has(session));
}

function describeByDevice<Stored extends { readonly device: SourceDevice }, Summary>(
  stored: readonly Stored[],
  summarize: (ofDevice: readonly Stored[]) => Summary,
): ReadonlyMap<DeviceNumber, Summary> {
  const groups = Map.groupBy(stored, ({ device }) => device.number);
  return new Map([...groups].map(([number, ofDevice]) => [number, summarize(ofDevice)]));
}
