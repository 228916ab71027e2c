// Request and response schemas of timeseries. Both forms return the same shape.

import { HRV_KINDS } from '../../../domain/records/records.ts';
import { oneOfWords, requestObject, timestamp, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { form1RangeQuery, includeSourcesQuery, unitSystemQuery, valueSource } from '../shared/index.ts';
import { RESOLUTIONS } from './query.ts';

export const timeseriesQuery = requestObject({
  metrics: Type.String({
    description:
      'metric IDs, separated by commas: heart_rate, heart_rate_variability, stress_score, blood_oxygen, steps, active_calories, and every other metric that the catalog lists with timeseries',
  }),
  ...form1RangeQuery,
  ...unitSystemQuery,
  ...includeSourcesQuery,
  resolution: withDefault(
    oneOfWords(RESOLUTIONS, {
      description:
        'raw, or the size of UTC buckets: the mean of levels (for an hour, the mean of its quarter-hour means), the sum of totals',
    }),
    'raw',
  ),
});

export const timeseriesReply = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          timestamp: timestamp(),
          metric: Type.String(),
          value: Type.Number({ description: 'not rounded' }),
          unit: Type.String(),
          hrv_kind: Type.Optional(
            oneOfWords(HRV_KINDS, { title: 'HrvKind', description: 'only for heart rate variability metrics' }),
          ),
          source: Type.Optional(valueSource),
          sources: Type.Optional(
            Type.Array(valueSource, {
              description: 'for a bucket with samples of several devices: all of them, highest rank first',
            }),
          ),
        },
        { title: 'Sample' },
      ),
      { description: 'in the order of the requested metrics, then by time' },
    ),
  },
  { title: 'SampleList' },
);
