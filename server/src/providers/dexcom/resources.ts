// The resources of Dexcom: records of a time window, without pages. https://developer.dexcom.com/docs/dexcomv3/endpoint-overview
import type { MapContext, Resource } from '../contract.ts';
import { collectRecords, type RecordCollector } from '../provider-records.ts';
import { asObject, readValues } from '../read-json.ts';
import { collectEvents } from './map-events.ts';
import { collectReadings } from './map-readings.ts';

export const EVENTS_PART = 'dexcom_events';

/** Longer windows are rejected. */
const WINDOW_DAYS = 30;
/** Readings arrive one to three hours late; a phone that was offline for days sends them afterwards. */
const SETTLED_AFTER_DAYS = 3;

type Collect = (records: readonly unknown[], into: RecordCollector, context: MapContext) => void;

const recordsOf = (name: string, collect: Collect, part?: string): Resource => ({
  name,
  scope: null,
  ...(part !== undefined && { part }),
  windowDays: WINDOW_DAYS,
  settledAfterDays: SETTLED_AFTER_DAYS,
  request: ({ from, to }) => ({
    origin: 'api',
    method: 'GET',
    path: `/v3/users/self/${name}`,
    query: { startDate: writeTime(from), endDate: writeTime(to) },
    as: 'person',
  }),
  nextCursor: () => null,
  isEmpty: () => false, // an account without readings has an empty list; 404 is a wrong address
  map(body, context) {
    const into = collectRecords();
    collect(readValues(asObject(body), 'records'), into, context);
    return into.records();
  },
});

export const DEXCOM_RESOURCES: readonly Resource[] = [
  recordsOf('egvs', collectReadings),
  recordsOf('events', collectEvents, EVENTS_PART),
];

/** UTC, in whole seconds and without `Z`. */
function writeTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}
