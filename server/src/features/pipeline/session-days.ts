// What the sleeps and workouts of some days tell of their metrics: those that are shown, and each device's own.
import { addDays, type LocalDate } from '../../domain/calendar.ts';
import type { SessionsOfDay } from '../../domain/day-value.ts';
import { SLEEP_METRICS } from '../../domain/fed-metrics.ts';
import { getMetricOrThrow, type MetricId } from '../../domain/metrics/index.ts';
import { listDays } from '../../domain/month-sheets/index.ts';
import type { Session, SessionCandidate } from '../../domain/sessions.ts';
import {
  chooseSleeps,
  findMainSleep,
  findSeenNight,
  type SleepDay,
  summarizeSleepDay,
} from '../../domain/sleep/index.ts';
import type { DeviceNumber } from '../../domain/tenancy.ts';
import { chooseWorkouts, divideHistogramIntoZones, summarizeWorkoutDay } from '../../domain/workouts/index.ts';
import { takeTurns } from '../../platform/turns.ts';
import type { SourceDevice } from '../devices/index.ts';
import {
  createHeartLimits,
  type HeartLimitsByDate,
  RESTING_HEART_RATE,
  RESTING_REACH_DAYS,
  readPeaksFor,
} from '../heart-limits/index.ts';
import { readSleepsOfDates, readWorkoutsOfDates, type StoredSleep } from '../sessions/index.ts';
import { readProfile } from '../subjects/index.ts';
import type { ChoosingContext } from './choosing-context.ts';

const NAPS = 'nap_duration' as MetricId;

export type SessionDay = {
  readonly shown: ReadonlyMap<MetricId, SessionsOfDay>;
  readonly own: ReadonlyMap<DeviceNumber, ReadonlyMap<MetricId, number>>;
};
/** A day without any is not in it. */
export type SessionDays = ReadonlyMap<LocalDate, SessionDay>;

export async function readSleepDays(context: ChoosingContext, dates: ReadonlySet<LocalDate>): Promise<SessionDays> {
  if (dates.size === 0) return new Map();
  const isAnyOff = isAnyProviderOff(context);
  const sleeps = await readSleepsOfDates(context.tx, context.user, isAnyOff ? [...addNeighbours(dates)] : [...dates]);
  const days = new Map<LocalDate, SessionDay>();
  const nextTurn = takeTurns();
  for (const date of dates) {
    const ofDate = addDevices(context, sleeps.get(date) ?? []);
    if (ofDate.length === 0) continue;
    const near = isAnyOff
      ? addDevices(
          context,
          [...addNeighbours([date])].flatMap((one) => sleeps.get(one) ?? []),
        )
      : [];
    const night = findMainSleep(ofDate.filter(isShown), context.zone);
    days.set(date, {
      shown: summarizeShownSleeps(context, date, { ofDate, near, night }),
      own: tellByDevice(ofDate, (own) => summarizeHeard(context, date, pickStanding(own, chooseSleeps), night).values),
    });
    await nextTurn();
  }
  return days;
}

type DatedSleep = Omit<StoredSleep, 'device'> & { readonly device: SourceDevice };

/** What is shown speaks; where a provider is off for a metric, what would be shown without it, decided with the days around. */
function summarizeShownSleeps(
  context: ChoosingContext,
  date: LocalDate,
  { ofDate, near, night }: Readonly<Record<'ofDate' | 'near' | 'night', readonly DatedSleep[]>>,
): ReadonlyMap<MetricId, SessionsOfDay> {
  const providers = [...new Set(ofDate.map(({ device }) => device.provider))].sort();
  const offFor = (id: MetricId) => providers.filter((name) => !context.rules.isEnabled(getMetricOrThrow(id), name));
  const shown = new Map<MetricId, SessionsOfDay>();
  for (const [off, ids] of Map.groupBy(SLEEP_METRICS, (id) => offFor(id).join())) {
    const hidden = off.split(',');
    const heard = near.filter(({ device }) => !hidden.includes(device.provider));
    const standing =
      off === '' ? ofDate.filter(isShown) : pickStanding(heard, chooseSleeps).filter((sleep) => sleep.date === date);
    const day = summarizeHeard(context, date, standing, night);
    for (const id of ids) {
      const value = day.values.get(id);
      if (value !== undefined) shown.set(id, { value, devices: id === NAPS ? day.napDevices : day.devices });
    }
  }
  return shown;
}

/** `night` is the night that is shown for the date; empty where none is. */
function summarizeHeard(
  { zone }: ChoosingContext,
  date: LocalDate,
  heard: readonly DatedSleep[],
  night: readonly DatedSleep[],
): SleepDay {
  const main = night.length === 0 ? findMainSleep(heard, zone) : findSeenNight(heard, night, zone);
  return summarizeSleepDay(date, heard, zone, main);
}

/** Of the same night one device's record may count toward the day before or after that of another. */
function addNeighbours(dates: Iterable<LocalDate>): Set<LocalDate> {
  return new Set([...dates].flatMap((date) => [addDays(date, -1), date, addDays(date, 1)]));
}

function isAnyProviderOff({ devices, rules }: ChoosingContext): boolean {
  const providers = new Set(devices.map(({ provider }) => provider));
  return [...providers].some((provider) =>
    [...SLEEP_METRICS].some((id) => !rules.isEnabled(getMetricOrThrow(id), provider)),
  );
}

export async function readWorkoutDays(context: ChoosingContext, dates: ReadonlySet<LocalDate>): Promise<SessionDays> {
  if (dates.size === 0) return new Map();
  const workouts = await readWorkoutsOfDates(context.tx, context.user, [...dates]);
  if (workouts.size === 0) return new Map();
  const limits = await openHeartLimits(context, workouts.keys());
  const days = new Map<LocalDate, SessionDay>();
  const nextTurn = takeTurns();
  for (const [date, stored] of workouts) {
    const ofDate = addDevices(context, stored).map((one) => ({
      ...one,
      zones: one.histogram === null ? null : divideHistogramIntoZones(one.histogram, limits.on(date)),
    }));
    days.set(date, {
      shown: summarizeWorkoutDay(ofDate.filter(isShown)), // the choice of workouts is not part of consolidation
      own: tellByDevice(
        ofDate,
        (own) =>
          new Map(
            [...summarizeWorkoutDay(pickStanding(own, chooseWorkouts))].map(([metric, { value }]) => [metric, value]),
          ),
      ),
    });
    await nextTurn();
  }
  return days;
}

type Choose<Stored> = (
  candidates: readonly Stored[],
  isProviderOn: () => boolean,
) => readonly SessionCandidate<Session>[];

/** From the days as they are being chosen, not as they were stored; peaks are stored by the time workouts have their turn. */
async function openHeartLimits(context: ChoosingContext, dates: Iterable<LocalDate>): Promise<HeartLimitsByDate> {
  const { tx, user, days } = context;
  const sorted = [...dates].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  await days.load(sorted.flatMap((date) => listDays(addDays(date, -RESTING_REACH_DAYS), date)));
  const profile = await readProfile(tx, user);
  const isNone = first === undefined || last === undefined;
  const peaks = isNone ? [] : await readPeaksFor(tx, user, profile, first, last);
  return createHeartLimits(profile, (date) => days.chosen(RESTING_HEART_RATE, date)?.value ?? null, peaks);
}

/** A session whose device is gone is about to go itself. */
function addDevices<Stored extends { readonly device: DeviceNumber }>(
  { devices }: ChoosingContext,
  stored: readonly Stored[],
): (Omit<Stored, 'device'> & { readonly device: SourceDevice })[] {
  return stored.flatMap((one) => {
    const device = devices.find(({ number }) => number === one.device);
    return device === undefined ? [] : [{ ...one, device }];
  });
}

function isShown({ copyOf }: { readonly copyOf: string | null }): boolean {
  return copyOf === null;
}

/** Of several records of one thing the one that stands, as if these were all there are. */
function pickStanding<Stored extends SessionCandidate<Session>>(
  candidates: readonly Stored[],
  choose: Choose<Stored>,
): Stored[] {
  const standing = new Set(choose(candidates, () => true).map(({ session }) => session));
  return candidates.filter(({ session }) => standing.has(session));
}

function tellByDevice<Stored extends { readonly device: SourceDevice }>(
  stored: readonly Stored[],
  tell: (own: readonly Stored[]) => ReadonlyMap<MetricId, number>,
): ReadonlyMap<DeviceNumber, ReadonlyMap<MetricId, number>> {
  const groups = Map.groupBy(stored, ({ device }) => device.number);
  return new Map([...groups].map(([number, own]) => [number, tell(own)]));
}
