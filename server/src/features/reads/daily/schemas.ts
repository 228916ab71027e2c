// Request and response schemas of daily values in both forms.
import type { TSchema } from 'typebox';
import { HRV_KINDS } from '../../../domain/records/records.ts';
import { nullable, oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  form1RangeQuery,
  form2RangeQuery,
  includeSourcesQuery,
  unitSystemQuery,
  valueSource,
} from '../shared/index.ts';

const list = (description: string) => Type.Optional(Type.String({ description }));

export const dailyForm1Query = requestObject({
  metrics: list('metric IDs, separated by commas; default all except scores'),
  ...form1RangeQuery,
  ...unitSystemQuery,
  ...includeSourcesQuery,
});

export const dailyForm2Query = requestObject({
  types: list('metric IDs, separated by commas; default all; use the scores endpoint for scores'),
  ...form2RangeQuery,
  ...unitSystemQuery,
  ...includeSourcesQuery,
});

const allSources = Type.Optional(
  Type.Array(valueSource, { description: 'all sources, highest rank first; only where several contributed' }),
);

export const dailyForm1Reply = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          date: Type.String({ format: 'date' }),
          metric: Type.String(),
          value: Type.Number(),
          unit: Type.String(),
          hrv_kind: Type.Optional(
            oneOfWords(HRV_KINDS, { title: 'HrvKind', description: 'only for heart rate variability metrics' }),
          ),
          source: Type.Optional(valueSource),
          sources: allSources,
        },
        { title: 'DailyValueForm1' },
      ),
      { description: 'by date, then in the order of the catalog; days without a value are omitted' },
    ),
  },
  { title: 'DailyValuesForm1' },
);

const perMetric = <T extends TSchema>(schema: T, description: string) => Type.Dictionary(schema, { description });

export const dailyForm2Reply = Type.Object(
  {
    from_date: Type.String({ format: 'date' }),
    to_date: Type.String({ format: 'date' }),
    dates: Type.Array(Type.String({ format: 'date' })),
    units: perMetric(Type.String(), 'the unit of each metric'),
    series: perMetric(Type.Array(nullable(Type.Number())), 'one number per date, null where there is none'),
    hrv_kinds: Type.Optional(
      perMetric(
        Type.Array(nullable(oneOfWords(HRV_KINDS, { title: 'HrvKind' }))),
        'kind of each heart rate variability value; only where such a metric has values',
      ),
    ),
    sources: Type.Optional(
      perMetric(
        Type.Array(
          nullable(Type.Object({ ...valueSource.properties, sources: allSources }, { title: 'DailySourceForm2' })),
        ),
        'the highest-ranked source of each number; only with include_sources=true',
      ),
    ),
  },
  { title: 'DailyValuesForm2' },
);
