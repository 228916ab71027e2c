// Scores in Form 2: one column per score type over every date of the range, and the latest value of each. Pure.
import { getMetricOrThrow, type MetricId } from '../../../domain/metrics/index.ts';
import type { ScoreType } from '../../../domain/scores/index.ts';
import { preparedJson } from '../../../platform/http/prepared-json.ts';
import { dialect } from '../../../platform/http/route.ts';
import { COMPUTED_PROVIDER } from '../shared/index.ts';
import { parseForm2Types } from './parse-types.ts';
import { scoresForm2Query, scoresForm2Reply } from './schemas.ts';
import type { ScoreColumn, ScoreQuery, ScoreReadModel } from './score-read-model.ts';

export const scores = dialect({
  params: ['user_id'],
  query: scoresForm2Query,
  replies: { 200: scoresForm2Reply },
  parse: ({ params, query }): ScoreQuery => ({
    userId: params.user_id,
    select: 'days',
    types: parseForm2Types(query.types),
    range: { from_date: query.from_date, to_date: query.to_date },
    includeSources: query.include_sources,
  }),
  // Serialized here to keep the requested order of keys: the serializer would use the order of the schema.
  present: (readModel: ScoreReadModel) => ({ status: 200, body: preparedJson(JSON.stringify(presentDays(readModel))) }),
});

function presentDays({ dates, columns, includeSources }: ScoreReadModel) {
  return {
    from_date: dates[0],
    to_date: dates.at(-1),
    dates,
    units: byType(columns, ({ type }) => unitOf(type)),
    series: byType(columns, ({ values }) => values),
    latest: byType(columns, ({ values }) => findLatest(dates, values)),
    ...(includeSources ? { sources: byType(columns, presentSources) } : {}),
  };
}

function byType<Value>(columns: readonly ScoreColumn[], present: (column: ScoreColumn) => Value) {
  return Object.fromEntries(columns.map((column) => [column.type, present(column)]));
}

/** Ignores values before the range (specification, Form 2 scores response). */
function findLatest(dates: ScoreReadModel['dates'], values: ScoreColumn['values']) {
  const index = values.findLastIndex((value) => value !== null);
  return index < 0 ? null : { date: dates[index], value: values[index], previous_value: values[index - 1] ?? null };
}

function presentSources({ type, values }: ScoreColumn) {
  const source = { provider: COMPUTED_PROVIDER, device_id: null };
  return values.map((value) =>
    value === null ? null : { ...source, original_value: value, original_unit: unitOf(type) },
  );
}

function unitOf(type: ScoreType): string {
  return getMetricOrThrow(type as string as MetricId).unit;
}
