// Explains a derived value: the formula and the value of each input.

import { deriveMetric, findDayFormula } from '../../../domain/metrics/derived-metrics.ts';
import { deriveFromHistory, HISTORY_RULES } from '../../../domain/metrics/history-metrics.ts';
import { getMetricOrThrow, type Metric } from '../../../domain/metrics/index.ts';
import { addDays, type LocalDate } from '../../../domain/time/calendar.ts';
import { readMetricHistory } from '../scoring/index.ts';
import type { ConsolidationContext } from './consolidation-context.ts';

type ExplainedInput = {
  readonly name: string;
  /** Null: the input comes from the profile. */
  readonly date: LocalDate | null;
  /** Null: missing. */
  readonly value: number | null;
  readonly unit: string;
};

export type ExplainedFormula = { readonly formula: string; readonly inputs: readonly ExplainedInput[] };

/** Whether a rule derives the metric from other values. */
export function isDerivable(metric: Metric): boolean {
  return findDayFormula(metric.id) !== null || HISTORY_RULES.has(metric.id);
}

/** Null: the metric is not derived by a rule. */
export function explainDerived(
  context: ConsolidationContext,
  metric: Metric,
  date: LocalDate,
): Promise<ExplainedFormula> | ExplainedFormula | null {
  const formula = findDayFormula(metric.id);
  if (formula !== null) return { formula, inputs: listInputsOfDay(context, metric, date) };
  const rule = HISTORY_RULES.get(metric.id);
  return rule === undefined ? null : explainHistory(context, metric, date, rule.formula);
}

function listInputsOfDay({ days }: ConsolidationContext, metric: Metric, date: LocalDate): ExplainedInput[] {
  const inputs: ExplainedInput[] = [];
  deriveMetric(metric.id, (id) => {
    const value = days.canonicalValue(id, date)?.value ?? null;
    inputs.push({ name: id, date, value, unit: getMetricOrThrow(id).unit });
    return value;
  });
  return inputs;
}

async function explainHistory(
  { tx, user }: ConsolidationContext,
  metric: Metric,
  date: LocalDate,
  formula: string,
): Promise<ExplainedFormula> {
  const history = await readMetricHistory(tx, user, date);
  const derived = history === null ? null : deriveFromHistory(metric.id, history);
  const inputs = (derived?.inputs ?? []).map(({ name, value, unit, daysBefore }) => ({
    name,
    date: daysBefore === null ? null : addDays(date, -daysBefore),
    value,
    unit,
  }));
  return { formula, inputs };
}
