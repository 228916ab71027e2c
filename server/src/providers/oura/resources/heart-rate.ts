// Heart rate of the day: a series by time, without documents. https://cloud.ouraring.com/v2/docs#tag/Heart-Rate-Routes
import type { Resource } from '../../contract.ts';
import { mapHeartRate } from '../map-heart-rate.ts';
import { nextPage, readNextToken } from './collection.ts';

const iso = (ms: number) => new Date(ms).toISOString();

export const heartRateResource: Resource = {
  name: 'heartrate',
  scope: 'heartrate',
  windowDays: 30, // longer windows are rejected
  settledAfterDays: 3,
  request: ({ from, to }, cursor) => ({
    origin: 'api',
    method: 'GET',
    path: '/v2/usercollection/heartrate',
    query: { start_datetime: iso(from), end_datetime: iso(to), ...nextPage(cursor) },
    as: 'person',
  }),
  nextCursor: readNextToken,
  isEmpty: ({ status }) => status === 404,
  map: mapHeartRate,
};
