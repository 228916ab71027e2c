// The totals and levels that a device itself gives for a day.
import { type LocalDate, parseLocalDate } from '../../domain/calendar.ts';
import type { Scope } from '../../domain/categories.ts';
import { EARLIEST_MS } from '../../domain/record-limits.ts';
import { type DailyValue, RECORDING_METHODS } from '../../domain/records.ts';
import { findUnit, listUnitRules } from '../../domain/unit-rules.ts';
import { fail, type Item, readChoice, readNumber, required, TOO_EARLY, TOO_FAR_AHEAD } from './item.ts';
import type { ItemKind } from './parse-items.ts';
import { DAILY_FIELDS } from './schemas.ts';
import { MAX_DAILY_VALUES } from './upload-limits.ts';
import { describeUnits, readMetric } from './upload-metrics.ts';

export function dailyKind(context: { scopes: readonly Scope[]; latestMs: number }): ItemKind<DailyValue> {
  return {
    list: 'daily',
    known: DAILY_FIELDS,
    maxItems: MAX_DAILY_VALUES,
    parse(item) {
      const metric = readMetric(item, context.scopes);
      if (metric === null) return null;
      const date = required(item, 'date', readDate(item, context.latestMs));
      const sent = item.fields.unit ?? metric.unit;
      const rules = listUnitRules(metric);
      const rule = typeof sent === 'string' ? rules[findUnit(rules, sent)] : undefined;
      if (rule === undefined) {
        if (typeof sent !== 'string') return fail(item, 'unit', 'invalid_type', 'must be a string');
        return fail(item, 'unit', 'invalid_unit', describeUnits(metric, sent));
      }
      const value = required(item, 'value', readNumber(item, 'value', rule.daily, rule.unit));
      const method = readChoice(item, 'recording_method', RECORDING_METHODS) ?? 'unknown';
      if (date === null || value === null) return null;
      return { date, metric: metric.id, value, unit: rule.unit, method };
    },
  };
}

/** As times are: a day that begins more than 24 hours ahead in UTC has begun nowhere on earth. */
function readDate(item: Item, latestMs: number): LocalDate | null {
  const sent = item.fields.date ?? null;
  if (sent === null) return null;
  if (typeof sent !== 'string') return fail(item, 'date', 'invalid_type', 'must be a string');
  const date = parseLocalDate(sent);
  if (date === null) return fail(item, 'date', 'invalid_date', 'must be a day such as 2026-01-31');
  const midnight = Date.parse(date);
  if (midnight > latestMs) return fail(item, 'date', 'in_future', TOO_FAR_AHEAD);
  return midnight < EARLIEST_MS ? fail(item, 'date', 'out_of_range', TOO_EARLY) : date;
}
