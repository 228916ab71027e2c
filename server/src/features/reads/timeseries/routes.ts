// The samples of a user over time. One shape in both forms; the answer is written while it is read.
import { type JsonPieces, preparedJson } from '../../../platform/http/prepared-json.ts';
import { dialect, type Route, route } from '../../../platform/http/route.ts';
import { readForm1Range } from '../shared/index.ts';
import { openTimeseries } from './open-timeseries.ts';
import { BUCKET_MS, parseMetrics, type TimeseriesQuery } from './query.ts';
import { timeseriesQuery, timeseriesReply } from './schemas.ts';

const MAX_DAYS = 31; // gap G-32

export const timeseriesRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/users/:user_id/timeseries',
    operationId: 'readTimeseries',
    tag: 'Data reads',
    summary: 'Read samples: one value for one period, whatever the devices',
    description: `Each quarter hour (UTC) is taken from the highest-ranked device with a sample in it; of stress, where no device tells it, from what is computed while awake and still. Days are calendar days in the user's time zone; at most ${MAX_DAYS} of them.`,
    access: { to: 'api_key_or_own_user', billing: 'checked', userParameter: 'user_id' },
    dialects: {
      both: dialect({
        query: timeseriesQuery,
        replies: { 200: timeseriesReply },
        parse: ({ params, query }): TimeseriesQuery => ({
          userId: params.user_id ?? '',
          metrics: parseMetrics(query.metrics),
          range: readForm1Range(query, MAX_DAYS),
          unitSystem: query.unit_system ?? 'metric',
          includeSources: query.include_sources ?? false,
          bucketMs: BUCKET_MS[query.resolution ?? 'raw'],
        }),
        present: (text: JsonPieces) => ({ status: 200, body: preparedJson(text) }),
      }),
    },
    isConditional: true,
    cost: 'large_read',
    errors: ['not_found', 'invalid_metric', 'range_too_long'],
    handle: openTimeseries,
  }),
];
