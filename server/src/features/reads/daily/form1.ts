// Daily values in Form 1: one row per metric and day, in a `data` envelope. Pure.
import type { UnitSystem } from '../../../domain/metrics/present-value.ts';
import { preparedJson } from '../../../platform/http/prepared-json.ts';
import { dialect } from '../../../platform/http/route.ts';
import { JsonWriter } from '../../../platform/json-writer.ts';
import { readForm1Range } from '../shared/index.ts';
import { DayPlan, MetricPlan } from './daily-plan.ts';
import type { DailyParameters, DailyQuery, DailyReadModel, DailySeries } from './daily-read-model.ts';
import { parseForm1Metrics } from './parse-metrics.ts';
import { presentSeries, presentSources } from './present-series.ts';
import { dailyForm1Query, dailyForm1Reply } from './schemas.ts';

const MAX_DAYS = 90; // specification, Limits
const END = Buffer.from('}');

export const daily = dialect({
  params: ['user_id'],
  query: dailyForm1Query,
  replies: { 200: dailyForm1Reply },
  prepareQuery: (query): DailyParameters => ({
    metrics: new MetricPlan(parseForm1Metrics(query.metrics), query.unit_system),
    days: new DayPlan(readForm1Range(query, MAX_DAYS)),
    includeSources: query.include_sources,
  }),
  parse: ({ params, query }): DailyQuery => ({ userId: params.user_id, parameters: query }),
  present: (readModel: DailyReadModel) => ({ status: 200, body: preparedJson(writeRows(readModel)) }),
});

export function writeRows({ days, metrics, series }: DailyReadModel): string | Buffer {
  const writer = new JsonWriter();
  const columns = series
    .filter(({ values }) => values !== null)
    .map((column) => createRowWriter(column, metrics.unitSystem));
  writer.writeText('{"data":[');
  let isFirst = true;
  for (const [index, date] of days.dates.entries()) {
    const opening = Buffer.from(`,{"date":"${date}"`);
    for (const { hasValue, writeRest } of columns) {
      if (!hasValue(index)) continue;
      writer.writeBytes(isFirst ? opening.subarray(1) : opening);
      writeRest(writer, index);
      isFirst = false;
    }
  }
  writer.writeText(']}');
  return writer.toBody();
}

/** Writes a row after its date. Text that all rows of a metric share is encoded once. */
function createRowWriter(series: DailySeries, unitSystem: UnitSystem) {
  const { unit, decimals, values } = presentSeries(series, unitSystem);
  const head = Buffer.from(`,"metric":${JSON.stringify(series.metric.id)},"value":`);
  const tail = Buffer.from(`,"unit":${JSON.stringify(unit)}`);
  const valueAt = (index: number) => values?.[index] ?? Number.NaN;
  return {
    hasValue: (index: number) => !Number.isNaN(valueAt(index)),
    writeRest(writer: JsonWriter, index: number): void {
      writer.writeBytes(head);
      writer.writeRounded(valueAt(index), decimals);
      writer.writeBytes(tail);
      const hrvKind = series.hrvKinds?.[index] ?? null;
      if (hrvKind !== null) writer.writeText(`,"hrv_kind":"${hrvKind}"`);
      const presented = presentSources(series.sources?.[index] ?? []);
      if (presented === null) writer.writeBytes(END);
      else writer.writeText(`,${JSON.stringify(presented).slice(1)}`);
    },
  };
}
