// Daily values in Form 2: one column per metric over every date of the range. Pure.

import { createYielder } from '../../../platform/event-loop.ts';
import { preparedJson } from '../../../platform/http/prepared-json.ts';
import { dialect } from '../../../platform/http/route.ts';
import { JsonWriter } from '../../../platform/json-writer.ts';
import { findNamedForm2Range } from '../shared/index.ts';
import { DayPlan, MetricPlan } from './daily-plan.ts';
import type { DailyParameters, DailyQuery, DailyReadModel } from './daily-read-model.ts';
import { parseForm2Types } from './parse-metrics.ts';
import { presentSeries, presentSources } from './present-series.ts';
import { dailyForm2Query, dailyForm2Reply } from './schemas.ts';

const EXPECTED_BYTES_PER_VALUE = 6;
const EXPECTED_OVERHEAD_BYTES = 2_048;
const PIECE_LENGTH = 65_536; // fewer pieces cost less, longer ones more memory
const SERIES_END = Buffer.from(']}');
const OBJECT_END = Buffer.from('}');

export const daily = dialect({
  params: ['user_id'],
  query: dailyForm2Query,
  replies: { 200: dailyForm2Reply },
  prepareQuery: (query): DailyParameters => {
    const range = findNamedForm2Range(query);
    return {
      metrics: new MetricPlan(parseForm2Types(query.types), query.unit_system),
      days: range === null ? query : new DayPlan(range),
      includeSources: query.include_sources,
    };
  },
  parse: ({ params, query }): DailyQuery => ({ userId: params.user_id, parameters: query }),
  present: (readModel: DailyReadModel) => ({
    status: 200,
    body: preparedJson(hasSources(readModel) ? writeWithSources(readModel) : writeColumns(readModel)),
  }),
});

export function writeColumns(readModel: DailyReadModel): string | Buffer {
  const writer = startColumns(readModel);
  writer.writeBytes(OBJECT_END);
  return writer.toBody();
}

function hasSources({ series }: DailyReadModel): boolean {
  return series.some(({ sources }) => sources !== null);
}

/** A year of sources is a million characters, so it is written in pieces and yields to other requests in between. */
export async function* writeWithSources(readModel: DailyReadModel): AsyncGenerator<string | Buffer> {
  yield startColumns(readModel).toBody();
  const yieldIfDue = createYielder();
  let text = ',"sources":{';
  for (const [index, { metric, sources }] of readModel.series.entries()) {
    await yieldIfDue();
    const texts = (sources ?? []).map((ofDay) => JSON.stringify(flatten(ofDay)));
    text += `${index > 0 ? ',' : ''}${JSON.stringify(metric.id)}:[${texts.join()}]`;
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  yield `${text}}}`;
}

/** Writes everything except the end of the object. */
function startColumns({ days, metrics, series }: DailyReadModel): JsonWriter {
  const { dates } = days;
  const writer = new JsonWriter(
    (series.length + 2) * dates.length * EXPECTED_BYTES_PER_VALUE + EXPECTED_OVERHEAD_BYTES,
  );
  const { head, nulls } = days.encoded;
  const { units, names } = metrics.encoded;
  writer.writeBytes(head);
  writer.writeBytes(units);
  for (const [index, column] of series.entries()) {
    const { values, decimals } = presentSeries(column, metrics.unitSystem);
    writer.writeBytes(names[index] as Buffer);
    if (values === null) writer.writeBytes(nulls);
    else writer.writeRoundedList(values, decimals);
  }
  writer.writeBytes(series.length > 0 ? SERIES_END : OBJECT_END);
  const kinds = series.filter(({ hrvKinds }) => hrvKinds).map(({ metric, hrvKinds }) => [metric.id, hrvKinds]);
  if (kinds.length > 0) writer.writeText(`,"hrv_kinds":${JSON.stringify(Object.fromEntries(kinds))}`);
  return writer;
}

/** One object per day: the highest-ranked source, and all sources where there are several. */
function flatten(ofDay: Parameters<typeof presentSources>[0]) {
  const presented = presentSources(ofDay);
  if (presented === null) return null;
  const { source, ...all } = presented;
  return { ...source, ...all };
}
