// Parses daily values that a device reports itself.

import type { Scope } from '../../../domain/metrics/categories.ts';
import type { Metric, MetricId } from '../../../domain/metrics/index.ts';
import { findUnit, listUnitRules } from '../../../domain/metrics/unit-rules.ts';
import { toCatalogUnit } from '../../../domain/metrics/units.ts';
import { findTimeProblem } from '../../../domain/records/check-times.ts';
import { type DailyValue, RECORDING_METHODS } from '../../../domain/records/records.ts';
import { isAsleepOverInBed } from '../../../domain/sleep/index.ts';
import { type LocalDate, parseLocalDate } from '../../../domain/time/calendar.ts';
import { fail, type Item, readChoice, readNumber, required, TIME_FAULTS } from './item.ts';
import type { ItemKind } from './parse-items.ts';
import { DAILY_FIELDS } from './schemas.ts';
import { MAX_DAILY_VALUES } from './upload-limits.ts';
import { describeUnits, readMetric } from './upload-metrics.ts';

const ASLEEP = 'asleep' as MetricId;
const IN_BED = 'time_in_bed' as MetricId;

export function dailyKind(context: { scopes: readonly Scope[]; latestMs: number }): ItemKind<DailyValue> {
  const contradictsBed = compareWithBed();
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
      const value = required(item, 'value', readNumber(item, 'value', { ...rule.daily, unit: rule.unit }));
      const method = readChoice(item, 'recording_method', RECORDING_METHODS) ?? 'unknown';
      if (date === null || value === null) return null;
      if (contradictsBed(metric, date, value, rule.unit))
        return fail(item, 'value', 'contradictory_totals', 'time_in_bed is less than asleep on the same day');
      return { date, metric: metric.id, value, unit: rule.unit, method };
    },
  };
}

/** If two totals of one day in one upload contradict each other, the first is kept and the second is rejected. */
function compareWithBed() {
  const asleepOn = new Map<LocalDate, number>();
  const inBedOn = new Map<LocalDate, number>();
  return ({ id, unit }: Metric, date: LocalDate, value: number, sent: string): boolean => {
    if (id !== ASLEEP && id !== IN_BED) return false;
    const minutes = toCatalogUnit(id, value, sent, unit);
    const asleep = id === ASLEEP ? minutes : (asleepOn.get(date) ?? 0);
    const inBed = id === IN_BED ? minutes : (inBedOn.get(date) ?? Number.POSITIVE_INFINITY);
    if (isAsleepOverInBed(asleep, inBed)) return true;
    (id === ASLEEP ? asleepOn : inBedOn).set(date, minutes);
    return false;
  };
}

/** The same limit as for times: a day that starts more than 24 hours ahead in UTC has not started in any time zone. */
function readDate(item: Item, latestMs: number): LocalDate | null {
  const sent = item.fields.date ?? null;
  if (sent === null) return null;
  if (typeof sent !== 'string') return fail(item, 'date', 'invalid_type', 'must be a string');
  const date = parseLocalDate(sent);
  if (date === null) return fail(item, 'date', 'invalid_date', 'must be a day such as 2026-01-31');
  const problem = findTimeProblem(Date.parse(date), latestMs);
  return problem === null ? date : fail(item, 'date', ...TIME_FAULTS[problem]);
}
