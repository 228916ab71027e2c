// Explains all values of a day at once, and one value in depth: by quarter hour, and by the other methods.

import { consolidationKeyOf } from '../../../domain/consolidate/consolidation-keys.ts';
import { changeSettings, createRules, isMethodAllowed } from '../../../domain/consolidate/consolidation-rules.ts';
import {
  findMetric,
  isBodyMeasurement,
  METHODS,
  METRICS,
  type Method,
  type Metric,
} from '../../../domain/metrics/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { readDayFacts } from './consolidate-days.ts';
import { type ConsolidationContext, openConsolidation } from './consolidation-context.ts';
import { addPair, type DayPairs, filterPairs } from './day-pairs.ts';
import { type JudgedValue, judgeCandidates } from './explain-candidates.ts';
import { type ExplainedDay, explainInContext, judgeDay } from './explain-day.ts';
import { explainQuarterHours, type QuarterHoursOfDevice } from './explain-quarter-hours.ts';

/** Every metric with a value on the day, of a device or canonical, in the order of the catalog. */
export async function explainValues(tx: Transaction, user: UserHandle, date: LocalDate): Promise<JudgedValue[]> {
  const context = openConsolidation(tx, user, await listSourceDevices(tx, user));
  await context.days.load([date]);
  const pairs: DayPairs = new Map();
  for (const metric of listMetricsOfDay(context, date)) addPair(pairs, metric.id, date);
  const needsSamples = (metric: Metric | null) =>
    metric !== null && (context.rules.isMerged(metric) || isBodyMeasurement(metric));
  const facts = await readDayFacts(
    context,
    pairs,
    filterPairs(pairs, (id) => needsSamples(findMetric(id))),
  );
  const yieldIfDue = createYielder();
  const judged: JudgedValue[] = [];
  for (const id of pairs.keys()) {
    const metric = findMetric(id);
    if (metric !== null) judged.push(judgeCandidates(context, facts, metric, date));
    await yieldIfDue();
  }
  return judged;
}

export type ExplainedValue = {
  readonly explained: ExplainedDay;
  readonly quarterHours: readonly QuarterHoursOfDevice[];
  /** By every allowed method; empty for values that cannot be configured. */
  readonly alternatives: readonly Alternative[];
};
type Alternative = { readonly method: Method; readonly value: number | null };

export async function explainValue(
  tx: Transaction,
  user: UserHandle,
  metric: Metric,
  date: LocalDate,
): Promise<ExplainedValue> {
  const context = openConsolidation(tx, user, await listSourceDevices(tx, user));
  const judged = await judgeDay(context, metric, date);
  return {
    explained: await explainInContext(context, judged, date),
    quarterHours: await explainQuarterHours(context, judged, date),
    alternatives: judged.isReported ? await listAlternatives(context, metric, date) : [],
  };
}

export type QuarterHoursOfMetric = {
  readonly judged: JudgedValue;
  readonly devices: readonly QuarterHoursOfDevice[];
};

export async function explainQuarterHoursOf(
  tx: Transaction,
  user: UserHandle,
  metrics: readonly Metric[],
  date: LocalDate,
): Promise<QuarterHoursOfMetric[]> {
  const context = openConsolidation(tx, user, await listSourceDevices(tx, user));
  const explained: QuarterHoursOfMetric[] = [];
  for (const metric of metrics) {
    const judged = await judgeDay(context, metric, date);
    explained.push({ judged, devices: await explainQuarterHours(context, judged, date) });
  }
  return explained;
}

/** The value that each method would give, with all other settings as they are. */
async function listAlternatives(
  context: ConsolidationContext,
  metric: Metric,
  date: LocalDate,
): Promise<Alternative[]> {
  const key = consolidationKeyOf(metric);
  if (key === null) return [];
  const alternatives: Alternative[] = [];
  for (const method of METHODS.filter((one) => isMethodAllowed(metric, one))) {
    const settings = changeSettings(context.user.consolidation, { metrics: { [key]: { method } }, providers: {} });
    const judged = await judgeDay({ ...context, rules: createRules(settings) }, metric, date);
    alternatives.push({ method, value: judged.consolidated.value });
  }
  return alternatives;
}

/** Scores are computed and have explanations of their own. */
function listMetricsOfDay({ days, devices }: ConsolidationContext, date: LocalDate): Metric[] {
  const ids = new Set(days.canonicalMetrics(date).filter((id) => days.canonicalValue(id, date) !== null));
  for (const { number } of devices)
    for (const id of days.deviceMetrics(number, date)) if (days.deviceValue(number, id, date) !== null) ids.add(id);
  return METRICS.filter(({ id, consolidation }) => ids.has(id) && consolidation.by !== 'computed');
}
