// One resource: all metrics of one day. https://vision.ultrahuman.com/developer-docs
import type { Resource } from '../contract.ts';
import { mapDay } from './map-day.ts';

export const ULTRAHUMAN_RESOURCES: readonly Resource[] = [
  {
    name: 'metrics',
    scope: null, // ring and glucose share the request; an answer has the granted data
    windowDays: 1,
    settledAfterDays: 3, // a ring syncs late
    request: ({ toDate }) => ({
      origin: 'api',
      method: 'GET',
      path: '/api/partners/v1/user_data/metrics',
      query: { date: toDate },
      as: 'person',
    }),
    nextCursor: () => null,
    isEmpty: ({ status }) => status === 404, // a day without data
    map: mapDay,
  },
];
