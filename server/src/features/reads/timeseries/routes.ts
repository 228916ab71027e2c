// Samples of a user over time. Both forms return the same shape, which is streamed while the samples are read.
import { type JsonPieces, preparedJson } from '../../../platform/http/prepared-json.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { readForm1Range } from '../shared/index.ts';
import { BUCKET_MS, parseMetrics, type TimeseriesQuery } from './query.ts';
import { timeseriesQuery, timeseriesReply } from './schemas.ts';
import { openTimeseries } from './stream-timeseries.ts';

const MAX_DAYS = 31; // gap G-32

export const timeseriesRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/users/:user_id/timeseries',
    operationId: 'readTimeseries',
    tag: 'Data reads',
    summary: 'Read samples, consolidated across devices',
    description: `Each quarter hour (UTC) comes from the highest-ranked device with a sample in it, whatever method is set for daily values; a disabled provider is not included. Where no device reports stress, the service computes it for quarter hours awake and still. Days are calendar days in the user's time zone, up to ${MAX_DAYS} per request.`,
    access: { to: 'api_key_or_own_user', billing: 'checked', userParameter: 'user_id' },
    healthDataOf: 'path_user',
    query: timeseriesQuery,
    replies: { 200: timeseriesReply },
    parse: ({ params, query }): TimeseriesQuery => ({
      userId: params.user_id,
      metrics: parseMetrics(query.metrics),
      range: readForm1Range(query, MAX_DAYS),
      unitSystem: query.unit_system,
      includeSources: query.include_sources,
      bucketMs: BUCKET_MS[query.resolution],
    }),
    present: (text: JsonPieces) => ({ status: 200, body: preparedJson(text) }),
    isConditional: true,
    cost: 'large_read',
    errors: ['not_found', 'invalid_metric', 'range_too_long'],
    handle: openTimeseries,
  }),
];
