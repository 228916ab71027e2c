// Daily values in Form 2: one column a metric, over every date of the range. Pure.
import type { LocalDate } from '../../domain/calendar.ts';
import type { Metric } from '../../domain/metrics/index.ts';
import { preparedJson } from '../../platform/http/prepared-json.ts';
import { dialect } from '../../platform/http/route.ts';
import { type UnitSystem, unitOf } from '../reading/index.ts';
import type { DailyQuestion, DailyReading, DailySeries } from './daily-reading.ts';
import {
  createJsonWriter,
  dropComma,
  type JsonWriter,
  takeJson,
  writeEncoded,
  writeJson,
  writeRoundedList,
} from './json-writer.ts';
import { parseForm2Types } from './parse-metrics.ts';
import { presentSeries, presentSources } from './present-series.ts';
import { dailyForm2Query, dailyForm2Reply } from './schemas.ts';

const EXPECTED_BYTES_A_VALUE = 6;
const EXPECTED_BYTES_BESIDE = 2_048;
const SERIES = Buffer.from('},"series":{');
const LIST_END = Buffer.from('],');
const OBJECT_END = Buffer.from('}');

export const daily = dialect({
  query: dailyForm2Query,
  replies: { 200: dailyForm2Reply },
  parse: ({ params, query }): DailyQuestion => ({
    userId: params.user_id ?? '',
    metrics: parseForm2Types(query.types),
    range: { from_date: query.from_date, to_date: query.to_date },
    unitSystem: query.unit_system ?? 'metric',
    includeSources: query.include_sources ?? false,
  }),
  present: (reading: DailyReading) => ({ status: 200, body: preparedJson(writeColumns(reading)) }),
});

export function writeColumns({ dates, unitSystem, series }: DailyReading): string | Buffer {
  const writer = createJsonWriter((series.length + 2) * dates.length * EXPECTED_BYTES_A_VALUE + EXPECTED_BYTES_BESIDE);
  const { head, nulls } = encodeDates(dates);
  writeEncoded(writer, head);
  for (const { metric } of series) writeEncoded(writer, encodeMetric(metric, unitSystem).unit);
  if (series.length > 0) dropComma(writer);
  writeEncoded(writer, SERIES);
  for (const column of series) {
    const { values, decimals } = presentSeries(column, unitSystem);
    writeEncoded(writer, encodeMetric(column.metric, unitSystem).name);
    if (values === null) writeEncoded(writer, nulls);
    else writeRoundedList(writer, values, decimals);
    writeEncoded(writer, LIST_END);
  }
  if (series.length > 0) dropComma(writer);
  writeEncoded(writer, OBJECT_END);
  if (series.some(({ sources }) => sources !== null)) writeSources(writer, series);
  writeEncoded(writer, OBJECT_END);
  return takeJson(writer);
}

/** What the same days begin with. The list is made once for all calls that ask for them (read-daily.ts). */
const encodedDates = new WeakMap<readonly LocalDate[], { readonly head: Buffer; readonly nulls: Buffer }>();

function encodeDates(dates: readonly LocalDate[]) {
  return encodedDates.getOrInsertComputed(dates, () => ({
    head: Buffer.from(
      `${JSON.stringify({ from_date: dates[0], to_date: dates.at(-1), dates }).slice(0, -1)},"units":{`,
    ),
    nulls: Buffer.from(dates.map(() => 'null').join()),
  }));
}

type EncodedMetric = { readonly unit: Buffer; readonly name: Buffer };
const encodedMetrics: Record<UnitSystem, Map<Metric, EncodedMetric>> = { metric: new Map(), imperial: new Map() };

function encodeMetric(metric: Metric, unitSystem: UnitSystem): EncodedMetric {
  return encodedMetrics[unitSystem].getOrInsertComputed(metric, () => ({
    unit: Buffer.from(`${JSON.stringify(metric.id)}:${JSON.stringify(unitOf(metric, unitSystem))},`),
    name: Buffer.from(`${JSON.stringify(metric.id)}:[`),
  }));
}

function writeSources(writer: JsonWriter, series: readonly DailySeries[]): void {
  writeJson(writer, ',"sources":{');
  for (const { metric, sources } of series) {
    writeJson(writer, `${JSON.stringify(metric.id)}:[`);
    writeJson(writer, (sources ?? []).map((given) => JSON.stringify(flatten(given))).join());
    writeEncoded(writer, LIST_END);
  }
  dropComma(writer);
  writeEncoded(writer, OBJECT_END);
}

/** One object a day: the highest-ranked source, and beside it all of them where there are several. */
function flatten(given: Parameters<typeof presentSources>[0]) {
  const presented = presentSources(given);
  if (presented === null) return null;
  const { source, ...all } = presented;
  return { ...source, ...all };
}
