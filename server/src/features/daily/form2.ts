// Daily values in Form 2: one column a metric, over every date of the range. Pure.
import type { LocalDate } from '../../domain/calendar.ts';
import { preparedJson } from '../../platform/http/prepared-json.ts';
import { dialect } from '../../platform/http/route.ts';
import type { DailyQuestion, DailyReading, DailySeries } from './daily-reading.ts';
import {
  createJsonWriter,
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

export function writeColumns({ dates, unitSystem, series }: DailyReading): Buffer {
  const writer = createJsonWriter((series.length + 2) * dates.length * EXPECTED_BYTES_A_VALUE + EXPECTED_BYTES_BESIDE);
  const columns = series.map((column) => presentSeries(column, unitSystem));
  const units = series.map(({ metric }, index) => [metric.id, columns[index]?.unit]);
  const { head, nulls } = encodeDates(dates);
  writeEncoded(writer, head);
  writeJson(writer, `${JSON.stringify(Object.fromEntries(units))},"series":{`);
  for (const [index, { values, decimals }] of columns.entries()) {
    writeName(writer, series[index]?.metric.id, index);
    if (values === null) writeEncoded(writer, nulls);
    else writeRoundedList(writer, values, decimals);
    writeJson(writer, ']');
  }
  writeJson(writer, '}');
  if (series.some(({ sources }) => sources !== null)) writeSources(writer, series);
  writeJson(writer, '}');
  return takeJson(writer);
}

/** What the same days begin with. The list is made once for all calls that ask for them (read-daily.ts). */
const encoded = new WeakMap<readonly LocalDate[], { readonly head: Buffer; readonly nulls: Buffer }>();

function encodeDates(dates: readonly LocalDate[]) {
  return encoded.getOrInsertComputed(dates, () => ({
    head: Buffer.from(`${JSON.stringify({ from_date: dates[0], to_date: dates.at(-1), dates }).slice(0, -1)},"units":`),
    nulls: Buffer.from(dates.map(() => 'null').join()),
  }));
}

function writeName(writer: JsonWriter, name: string | undefined, index: number): void {
  writeJson(writer, `${index === 0 ? '' : ','}${JSON.stringify(name)}:[`);
}

function writeSources(writer: JsonWriter, series: readonly DailySeries[]): void {
  writeJson(writer, ',"sources":{');
  for (const [index, column] of series.entries()) {
    writeName(writer, column.metric.id, index);
    writeJson(writer, (column.sources ?? []).map((given) => JSON.stringify(flatten(given))).join());
    writeJson(writer, ']');
  }
  writeJson(writer, '}');
}

/** One object a day: the highest-ranked source, and beside it all of them where there are several. */
function flatten(given: Parameters<typeof presentSources>[0]) {
  const presented = presentSources(given);
  if (presented === null) return null;
  const { source, ...all } = presented;
  return { ...source, ...all };
}
