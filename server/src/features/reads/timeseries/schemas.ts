// Request and response schemas of timeseries. Both forms return the same shape.

import { HRV_KINDS } from '../../../domain/records/records.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { form1RangeQuery, includeSourcesQuery, unitSystemQuery } from '../shared/index.ts';
import { RESOLUTIONS } from './query.ts';

export const timeseriesQuery = requestObject({
  metrics: Type.String({
    description:
      'metric IDs, separated by commas: heart_rate, heart_rate_variability, stress_score, blood_oxygen, steps, active_calories, and every other metric that the catalog lists with timeseries',
  }),
  ...form1RangeQuery,
  ...unitSystemQuery,
  ...includeSourcesQuery,
  resolution: Type.Optional(
    oneOfWords(RESOLUTIONS, {
      description:
        'raw (default), or the size of UTC buckets: the mean of levels (for an hour, the mean of its quarter-hour means), the sum of totals',
    }),
  ),
});

const source = Type.Object({
  provider: Type.String({ description: '`tributary`: computed by the service' }),
  device_id: nullable(uuid('device')),
  original_value: Type.Number({
    description:
      "the device's value, never rounded; for a total that was divided, the whole; for a bucket, the aggregate of the device's samples",
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
      hrv_kind: Type.Optional(oneOfWords(HRV_KINDS, { description: 'only for heart rate variability metrics' })),
      source: Type.Optional(source),
      sources: Type.Optional(
        Type.Array(source, {
          description: 'for a bucket with samples of several devices: all of them, highest rank first',
        }),
      ),
    }),
    { description: 'in the order of the requested metrics, then by time' },
  ),
});
