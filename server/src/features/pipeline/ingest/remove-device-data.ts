// Removes all data of a device from the normalized layer and consolidates its days from the other devices. The caller holds the user's
// lock and removes the device itself.

import { HISTORY_RULES } from '../../../domain/metrics/history-metrics.ts';
import { METRICS, metricIdOf } from '../../../domain/metrics/index.ts';
import { dateOf } from '../../../domain/packed/month-sheets/index.ts';
import { listReachedDays } from '../../../domain/scores/index.ts';
import { joinDates, type LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { listMonthsOfDevice, readDeviceMonths, removeDeviceMonths } from '../../store/daily-store/index.ts';
import { listSourceDevices, type SourceDevice } from '../../store/devices/index.ts';
import { reconsolidateSessions, removeSessionsOfDevice } from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { consolidateInGroups } from './consolidate-in-groups.ts';
import { type ConsolidationContext, openConsolidation } from './consolidation-context.ts';
import { addDates, addPair, type DayPairs, listDatesOf } from './day-pairs.ts';
import { addTouched, sessionMetrics } from './ingest.ts';
import { recordChange } from './record-change.ts';

/** Months read at once; a query returns the values of all devices. */
const MONTHS_AT_ONCE = 12;

export async function removeDeviceData(
  tx: Transaction,
  user: UserHandle,
  device: SourceDevice,
  now: Date,
): Promise<void> {
  const others = (await listSourceDevices(tx, user)).filter(({ id }) => id !== device.id);
  const context = openConsolidation(tx, user, others, { hasRemovedDevice: true });
  const pairs = await listPairsOfDevice(tx, user, device);
  await removeDeviceMonths(tx, user, device.number);
  const scores = await removeMeasuredScores(context, device);
  await context.samples.removeDevice(device.number);
  const touched = await removeSessionsOfDevice(tx, user, device.number);
  const { zone, rules } = context;
  const sessions = await reconsolidateSessions(
    tx,
    user,
    { zone, devices: others, isProviderOn: rules.isProviderOn },
    touched,
  );
  const deviceMetrics = [...pairs.keys()];
  const touchedDates = new Set([...listDatesOf(pairs), ...sessions.sleepDates, ...sessions.workoutDates]);
  for (const metric of HISTORY_RULES.keys()) addDates(pairs, metric, touchedDates);
  const changed = await consolidateInGroups(context, { samples: new Map(), ...sessions, others: pairs });
  const dates: LocalDate[] = [
    ...[pairs, scores, changed].flatMap((some) => [...listDatesOf(some)]),
    ...sessions.sleepDates,
    ...sessions.workoutDates,
  ];
  if (dates.length === 0) return;
  const metrics = new Set([...deviceMetrics, ...scores.keys(), ...changed.keys(), ...sessionMetrics(sessions)]);
  await recordChange(
    tx,
    user,
    {
      type: 'data.updated',
      deviceId: device.id,
      metrics,
      days: joinDates(dates),
      hasDeletions: true,
      isUserInitiated: true,
      rescoreRanges: [...context.rescoreRanges, ...listReachedDays(zone, sessions.intervals)],
    },
    now,
  );
}

/** Stress. Devices measure it in samples only, so the device has no value of the day. */
const MEASURED_SCORES = METRICS.filter(
  ({ consolidation, samples }) => consolidation.by === 'computed' && samples !== 'no',
);
const ALL_TIME = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };

/** Returns the days that had samples. */
async function removeMeasuredScores(context: ConsolidationContext, device: SourceDevice): Promise<DayPairs> {
  const pairs: DayPairs = new Map();
  for (const { id } of MEASURED_SCORES) {
    const { touched } = await context.samples.remove(device.number, id, [ALL_TIME]);
    await addTouched(context, pairs, touched);
  }
  return pairs;
}

/** Every pair for which the device has a value. */
async function listPairsOfDevice(tx: Transaction, user: UserHandle, { number }: SourceDevice): Promise<DayPairs> {
  const months = await listMonthsOfDevice(tx, user, number);
  const pairs: DayPairs = new Map();
  const yieldIfDue = createYielder();
  for (let first = 0; first < months.length; first += MONTHS_AT_ONCE) {
    for (const [month, sheets] of await readDeviceMonths(tx, user, months.slice(first, first + MONTHS_AT_ONCE))) {
      const sheet = sheets.get(number);
      for (const metric of sheet?.metrics() ?? []) {
        const id = metricIdOf(metric);
        if (id !== null) for (const [day] of sheet?.cells(metric) ?? []) addPair(pairs, id, dateOf(month, day));
      }
      await yieldIfDue();
    }
  }
  return pairs;
}
