// Daily values in Form 2: one column a metric, over every date of the range. Pure.

import type { Metric } from '../../../domain/metrics/index.ts';
import { type UnitSystem, unitOf } from '../../../domain/metrics/present-value.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import { preparedJson } from '../../../platform/http/prepared-json.ts';
import { dialect } from '../../../platform/http/route.ts';
import { JsonWriter } from '../../../platform/json-writer.ts';
import { takeTurns } from '../../../platform/turns.ts';
import type { DailyQuestion, DailyReading } from './daily-reading.ts';
import { parseForm2Types } from './parse-metrics.ts';
import { presentSeries, presentSources } from './present-series.ts';
import { dailyForm2Query, dailyForm2Reply } from './schemas.ts';

const EXPECTED_BYTES_A_VALUE = 6;
const EXPECTED_BYTES_BESIDE = 2_048;
const PIECE_LENGTH = 65_536; // fewer pieces cost less, longer ones more memory
const SERIES_END = Buffer.from(']}');
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
  present: (reading: DailyReading) => ({
    status: 200,
    body: preparedJson(hasSources(reading) ? writeWithSources(reading) : writeColumns(reading)),
  }),
});

export function writeColumns(reading: DailyReading): string | Buffer {
  const writer = startColumns(reading);
  writer.writeBytes(OBJECT_END);
  return writer.toBody();
}

function hasSources({ series }: DailyReading): boolean {
  return series.some(({ sources }) => sources !== null);
}

/** A year of sources is a million characters: written in pieces, so that other requests are served in between. */
export async function* writeWithSources(reading: DailyReading): AsyncGenerator<string | Buffer> {
  yield startColumns(reading).toBody();
  const nextTurn = takeTurns();
  let text = ',"sources":{';
  for (const [index, { metric, sources }] of reading.series.entries()) {
    await nextTurn();
    const given = (sources ?? []).map((ofDay) => JSON.stringify(flatten(ofDay)));
    text += `${index > 0 ? ',' : ''}${JSON.stringify(metric.id)}:[${given.join()}]`;
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  yield `${text}}}`;
}

/** All but the end of the object. */
function startColumns({ dates, unitSystem, metrics, series }: DailyReading): JsonWriter {
  const writer = new JsonWriter((series.length + 2) * dates.length * EXPECTED_BYTES_A_VALUE + EXPECTED_BYTES_BESIDE);
  const { head, nulls } = encodeDates(dates);
  const { units, names } = encodeMetrics(metrics, unitSystem);
  writer.writeBytes(head);
  writer.writeBytes(units);
  for (const [index, column] of series.entries()) {
    const { values, decimals } = presentSeries(column, unitSystem);
    writer.writeBytes(names[index] as Buffer);
    if (values === null) writer.writeBytes(nulls);
    else writer.writeRoundedList(values, decimals);
  }
  writer.writeBytes(series.length > 0 ? SERIES_END : OBJECT_END);
  const kinds = series.filter(({ hrvKinds }) => hrvKinds).map(({ metric, hrvKinds }) => [metric.id, hrvKinds]);
  if (kinds.length > 0) writer.writeText(`,"hrv_kinds":${JSON.stringify(Object.fromEntries(kinds))}`);
  return writer;
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

/** What the same metrics have between their values; all of it is made once for all calls that ask for them (parse-metrics.ts). */
type EncodedMetrics = { readonly units: Buffer; readonly names: readonly Buffer[] };
const encodedMetrics: Record<UnitSystem, WeakMap<readonly Metric[], EncodedMetrics>> = {
  metric: new WeakMap(),
  imperial: new WeakMap(),
};

function encodeMetrics(metrics: readonly Metric[], unitSystem: UnitSystem): EncodedMetrics {
  return encodedMetrics[unitSystem].getOrInsertComputed(metrics, () => {
    const units = Object.fromEntries(metrics.map((metric) => [metric.id, unitOf(metric, unitSystem)]));
    return {
      units: Buffer.from(`${JSON.stringify(units).slice(1)},"series":{`),
      names: metrics.map(({ id }, index) => Buffer.from(`${index > 0 ? '],' : ''}${JSON.stringify(id)}:[`)),
    };
  });
}

/** One object a day: the highest-ranked source, and beside it all of them where there are several. */
function flatten(given: Parameters<typeof presentSources>[0]) {
  const presented = presentSources(given);
  if (presented === null) return null;
  const { source, ...all } = presented;
  return { ...source, ...all };
}
