// Every day of a person, worked out again from the normalized layer: after a change of the time zone, or of how devices rank.
import { addDays, type LocalDate } from '../../domain/calendar.ts';
import { metricIdOf } from '../../domain/metrics/index.ts';
import { dateOf, listDays, type MonthNumber, monthOf } from '../../domain/month-sheets/index.ts';
import type { DeviceNumber } from '../../domain/tenancy.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { listMonths, loadDailySheets, readDeviceMonths } from '../days/index.ts';
import { listSourceDevices, type SourceDevice } from '../devices/index.ts';
import { listSampleSpans, type SampleSpan } from '../samples/index.ts';
import { chooseAgain } from '../sessions/index.ts';
import { advanceRevision, type UserHandle } from '../subjects/index.ts';
import { chooseDays, type TouchedDays } from './choose-days.ts';
import { openChoosing } from './choosing-context.ts';
import { addPair, addPairs, type DayPairs, listDatesOf } from './day-pairs.ts';
import { recordChange } from './record-change.ts';

/** The caller holds the user's lock. A month at a time, so that memory stays small; readers see all of it at once. */
export async function rebuildUser(tx: Transaction, user: UserHandle, now: Date): Promise<DayPairs> {
  const devices = await listSourceDevices(tx, user);
  const { zone, rules } = openChoosing(tx, user, devices);
  const sessions = await chooseAgain(tx, user, { zone, devices, isProviderOn: rules.isProviderOn }, 'all');
  const spans = await listSampleSpans(tx, user);
  const months = new Set<MonthNumber>(await listMonths(tx, user));
  for (const { fromMs, toMs } of spans)
    for (let day = zone.dayAt(fromMs); day.start <= toMs; day = zone.dayAt(day.end)) months.add(monthOf(day.date));
  for (const date of [...sessions.sleepDates, ...sessions.workoutDates]) months.add(monthOf(date));
  const changed: DayPairs = new Map();
  let hasWritten = false;
  for (const month of [...months].sort((a, b) => a - b)) {
    const rebuilt = await rebuildMonth(tx, user, devices, month, spans);
    addPairs(changed, rebuilt.changed);
    hasWritten ||= rebuilt.hasWritten;
  }
  if (changed.size > 0 || sessions.changed) {
    const dates = [
      ...listDatesOf(changed),
      ...(sessions.changed ? [...sessions.sleepDates, ...sessions.workoutDates] : []),
    ];
    const metrics = new Set(changed.keys());
    await recordChange(
      tx,
      user,
      { type: 'subject.synced', deviceId: null, metrics, dates, hasDeletions: false, isDecision: true },
      now,
    );
  } else if (hasWritten) await advanceRevision(tx, user); // only who gave a value changed
  return changed;
}

async function rebuildMonth(
  tx: Transaction,
  user: UserHandle,
  devices: readonly SourceDevice[],
  month: MonthNumber,
  spans: readonly SampleSpan[],
): Promise<{ changed: DayPairs; hasWritten: boolean }> {
  const context = openChoosing(tx, user, devices);
  const dates = listDatesOfMonth(month);
  const touched: TouchedDays = {
    samples: await listOwnPairs(tx, user, devices, month, dates, spans),
    sleepDates: new Set(dates),
    workoutDates: new Set(dates),
    others: await listChosenPairs(tx, user, month, dates),
  };
  const changed = await chooseDays(context, touched);
  return { changed, hasWritten: await context.days.flush() };
}

/** All days of every metric that a device has samples or a value of. */
async function listOwnPairs(
  tx: Transaction,
  user: UserHandle,
  devices: readonly SourceDevice[],
  month: MonthNumber,
  dates: readonly LocalDate[],
  spans: readonly SampleSpan[],
): Promise<Map<DeviceNumber, DayPairs>> {
  const sheets = (await readDeviceMonths(tx, user, [month])).get(month);
  return new Map(
    devices.map(({ number }) => {
      const pairs: DayPairs = new Map();
      const stored = (sheets?.get(number)?.metrics() ?? []).flatMap((metric) => metricIdOf(metric) ?? []);
      const sampled = spans.filter(({ device }) => device === number).map(({ metric }) => metric);
      for (const metric of [...stored, ...sampled]) for (const date of dates) addPair(pairs, metric, date);
      return [number, pairs];
    }),
  );
}

async function listChosenPairs(
  tx: Transaction,
  user: UserHandle,
  month: MonthNumber,
  dates: readonly LocalDate[],
): Promise<DayPairs> {
  const pairs: DayPairs = new Map();
  const sheet = (await loadDailySheets(tx, user, [month])).get(month);
  for (const metric of sheet?.metrics() ?? []) {
    const id = metricIdOf(metric);
    if (id !== null) for (const date of dates) addPair(pairs, id, date);
  }
  return pairs;
}

function listDatesOfMonth(month: MonthNumber): LocalDate[] {
  const next = dateOf((month + 1) as MonthNumber, 1);
  return listDays(dateOf(month, 1), addDays(next, -1));
}
