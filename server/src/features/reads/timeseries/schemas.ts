// Wire schemas of timeseries. One shape in both forms.

import { HRV_KINDS } from '../../../domain/records/records.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { form1RangeQuery, includeSourcesQuery, unitSystemQuery } from '../shared/index.ts';
import { RESOLUTIONS } from './query.ts';

export const timeseriesQuery = requestObject({
  metrics: Type.String({
    description:
      'metric IDs, separated by commas: heart_rate, heart_rate_variability, stress_score, blood_oxygen, steps, active_calories, and every other metric that the catalog keeps as samples',
  }),
  ...form1RangeQuery,
  ...unitSystemQuery,
  ...includeSourcesQuery,
  resolution: Type.Optional(
    oneOfWords(RESOLUTIONS, {
      description:
        'raw (default), or buckets of UTC: the mean of levels (of an hour: the mean of its quarter-hour means), the sum of totals',
    }),
  ),
});

const source = Type.Object({
  provider: Type.String({ description: 'tributary: computed' }),
  device_id: nullable(uuid('device')),
  original_value: Type.Number({
    description:
      "the device's own number, never rounded; of a total that was divided, the whole; of a bucket, what its samples come to",
  }),
  original_unit: Type.String(),
});

export const timeseriesReply = Type.Object({
  data: Type.Array(
    Type.Object({
      timestamp: timestamp(),
      metric: Type.String(),
      value: Type.Number({ description: 'not rounded' }),
      unit: Type.String(),
      hrv_kind: Type.Optional(oneOfWords(HRV_KINDS, { description: 'for metrics of heart rate variability' })),
      source: Type.Optional(source),
      sources: Type.Optional(
        Type.Array(source, { description: 'of a bucket that several devices gave to, the highest ranked first' }),
      ),
    }),
    { description: 'in the order of the metrics asked for, then by time' },
  ),
});
