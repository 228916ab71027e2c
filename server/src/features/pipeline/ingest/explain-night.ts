// Explains which sleeps are the main sleep of a date, for metrics that come from sleep.

import type { Metric } from '../../../domain/metrics/index.ts';
import { SLEEP_METRICS } from '../../../domain/metrics/session-metrics.ts';
import { findMainSleep } from '../../../domain/sleep/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { SourceDevice } from '../../store/devices/index.ts';
import type { EpochInterval } from '../../store/session-store/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';
import { listCanonicalSleeps, readSleepRecords, type StoredSleepRecord } from './sleep-records.ts';

export type ExplainedNight = {
  /** The device of the first session. */
  readonly device: SourceDevice;
  /** By start; at least one. */
  readonly sessions: readonly [NightPart, ...NightPart[]];
};
type NightPart = EpochInterval & { readonly device: SourceDevice };

/** Null: the metric does not come from sleep, or the date has no sleep. */
export async function explainNight(
  context: ConsolidationContext,
  metric: Metric,
  date: LocalDate,
): Promise<ExplainedNight | null> {
  if (!SLEEP_METRICS.has(metric.id)) return null;
  const records = (await readSleepRecords(context, [date])).get(date);
  const [first, ...others] = records === undefined ? [] : findMainSleep(listCanonicalSleeps(records), context.zone);
  if (first === undefined) return null;
  const toPart = ({ device, session: { start, end } }: StoredSleepRecord) => ({ device, start, end });
  return { device: first.device, sessions: [toPart(first), ...others.map(toPart)] };
}
