// Formats the explained values of a day. Pure.
import { explainRank } from '../../../domain/consolidate/ranking.ts';
import type { Metric } from '../../../domain/metrics/index.ts';
import { presentValue } from '../../../domain/metrics/present-value.ts';
import type { CsvCell } from '../../../platform/csv.ts';
import type { ExplainedDay, ExplainedValue, JudgedValue } from '../../pipeline/ingest/index.ts';
import { toCatalogValue } from '../../store/samples/index.ts';
import type { StoredAuditEntry } from '../../tenancy/accounts/index.ts';
import { presentChange } from '../consolidation-editor/index.ts';
import { presentExplanation } from '../daily/index.ts';
import { presentQuarterHours } from './present-river.ts';

export type ExplainedValues = { readonly date: string; readonly zone: string; readonly values: readonly JudgedValue[] };

export function presentValues({ date, zone, values }: ExplainedValues) {
  return { date, zone, values: values.map(presentJudged) };
}

function presentJudged({ metric, value, method, isOverridden, isComputed, outcomes }: JudgedValue) {
  return {
    metric: metric.id,
    name: metric.displayName,
    category: metric.category,
    unit: metric.unit,
    decimals: metric.decimals,
    value: presentNumber(metric, value),
    method: isComputed ? null : method,
    default_method: isComputed ? null : metric.defaultMethod,
    overridden: isOverridden,
    computed: isComputed,
    candidates: outcomes.map(({ device, deviceValue, outcome, contributed, isEnabled }) => ({
      device: device.number,
      value: presentDeviceValue(metric, deviceValue),
      origin: deviceValue.origin,
      outcome,
      contributed: presentNumber(metric, contributed),
      enabled: isEnabled,
    })),
  };
}

type DeviceValue = { readonly value: number | null; readonly unit: string };

function presentDeviceValue(metric: Metric, { value, unit }: DeviceValue): number | null {
  return value === null ? null : presentNumber(metric, toCatalogValue(metric, value, unit));
}

function presentNumber(metric: Metric, value: number | null): number | null {
  return value === null ? null : presentValue(metric, value, 'metric').value;
}

export function presentExplained(
  zone: string,
  { explained, quarterHours, alternatives }: ExplainedValue,
  lastChange: StoredAuditEntry | null,
) {
  const { metric } = explained;
  const presented = presentExplanation(explained);
  return {
    ...presented,
    setting: { ...presented.setting, last_change: presentChange(lastChange) },
    name: metric.displayName,
    decimals: metric.decimals,
    zone,
    candidates: presented.candidates.map((candidate, index) => ({ ...candidate, ...presentRank(explained, index) })),
    quarter_hours: quarterHours.map(({ device, ...columns }) => ({
      device: device.number,
      ...presentQuarterHours(columns),
    })),
    alternatives: alternatives.map(({ method, value }) => ({ method, value: presentNumber(metric, value) })),
  };
}

function presentRank({ metric, candidates }: ExplainedDay, index: number) {
  const { device, deviceValue, outcome } = candidates[index] as ExplainedDay['candidates'][number];
  const reason = explainRank(
    candidates.map((one) => one.device),
    index,
  );
  return {
    device: device.number,
    value: presentDeviceValue(metric, deviceValue),
    rank_reason: outcome === 'imported_copy' ? 'imported_copy' : reason,
    class_rank: metric.ranking.indexOf(device.deviceClass) + 1,
  };
}

const HEADER = ['metric', 'value', 'unit', 'method', 'device', 'device_value', 'outcome', 'contributed'];

/** One line per device; a computed value has one line without a device. */
export function listValueCells({ values }: ExplainedValues): (readonly CsvCell[])[] {
  return [
    HEADER,
    ...values.map(presentJudged).flatMap(({ metric, value, unit, method, candidates }) => {
      const first = [metric, value, unit, method];
      if (candidates.length === 0) return [[...first, null, null, null, null]];
      return candidates.map((one) => [...first, one.device, one.value, one.outcome, one.contributed]);
    }),
  ];
}
