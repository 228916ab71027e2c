// Which sleeps are the night of a date, where a value is explained that comes from sleeps.

import { SLEEP_METRICS } from '../../../domain/metrics/fed-metrics.ts';
import type { Metric } from '../../../domain/metrics/index.ts';
import { findMainSleep } from '../../../domain/sleep/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import { type Interval, readSleepsOfDates } from '../../store/session-store/index.ts';
import type { ChoosingContext } from './choosing-context.ts';
import { addDevices } from './sleep-records.ts';

export type ExplainedNight = {
  readonly device: SourceDevice;
  /** By start, at least one. */
  readonly sessions: readonly [Interval, ...Interval[]];
};

/** Null: the metric does not come from sleeps, or the date has none. */
export async function explainNight(
  { tx, user, devices, zone }: ChoosingContext,
  metric: Metric,
  date: LocalDate,
): Promise<ExplainedNight | null> {
  if (!SLEEP_METRICS.has(metric.id)) return null;
  const stored = (await readSleepsOfDates(tx, user, [date])).get(date) ?? [];
  const listed = addDevices({ devices }, stored).filter(({ copyOf }) => copyOf === null);
  const [first, ...others] = findMainSleep(listed, zone);
  if (first === undefined) return null;
  return { device: first.device, sessions: [first.session, ...others.map(({ session }) => session)] };
}
