// What can be requested from Suunto. All of it needs the subscription to the product "Suunto API" or "24/7"; a request without
// is answered with 401 or 403.

import type { FetchWindow, ProviderAnswer, ProviderFailure, ProviderRequest, Resource } from '../contract.ts';
import { asObject, isObject, readValues } from '../read-json.ts';
import { mapActivity } from './map-activity.ts';
import { mapSleep } from './map-sleep.ts';
import { mapStatistics } from './map-statistics.ts';
import { mapWorkouts } from './map-workouts.ts';
import { withoutPositions } from './without-positions.ts';

const MAX_WORKOUTS = 100;
/** The longest is 28 days; with one day less it also holds where a day has 25 hours. */
const WINDOW_DAYS = 27;

const common = {
  scope: null,
  requestOne: null,
  isEmpty: ({ status }: ProviderAnswer) => status === 204,
} as const;

const workoutPages = {
  ...common,
  /** By offset: a page that is not full is the last one. */
  nextCursor(body: unknown, cursor: string | null = null): string | null {
    const { length } = readValues(asObject(body), 'payload');
    return length < MAX_WORKOUTS ? null : String(Number(cursor ?? 0) + length);
  },
  readFailure: ({ body }: ProviderAnswer): ProviderFailure | null =>
    isObject(body) && (body.error ?? null) !== null ? 'unavailable' : null,
  map: mapWorkouts,
  withoutPositions,
} as const;

/** Routes and laps are only in the recording, `GET /v3/workouts/{workoutKey}/fit`, which is not read. */
const workouts: Resource = {
  ...workoutPages,
  name: 'workouts',
  windowDays: 90,
  settledAfterDays: 3,
  request: ({ from, to }, cursor) => requestWorkouts({ since: from, until: to }, cursor, false),
};

/** Workouts of any age that the user edited since yesterday: a webhook only reports new ones. */
const changedWorkouts: Resource = {
  ...workoutPages,
  name: 'changed-workouts',
  windowDays: 90,
  settledAfterDays: 1,
  isCurrentOnly: true,
  request: ({ from }, cursor) => requestWorkouts({ since: from }, cursor, true),
};

function requestWorkouts(
  times: Readonly<Record<string, number>>,
  cursor: string | null,
  byModification: boolean,
): ProviderRequest {
  return {
    origin: 'api',
    method: 'GET',
    path: '/v3/workouts',
    query: {
      ...Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, String(ms)])),
      limit: String(MAX_WORKOUTS),
      offset: cursor ?? '0',
      'filter-by-modification-time': String(byModification),
    },
    as: 'person',
  };
}

const allDay = { ...common, windowDays: WINDOW_DAYS, nextCursor: () => null, readFailure: null } as const;

const requestSamples = (kind: string, { from, to }: FetchWindow): ProviderRequest => ({
  origin: 'api',
  method: 'GET',
  path: `/247samples/${kind}`,
  query: { from: String(from), to: String(to) },
  as: 'person',
});

const sleep: Resource = {
  ...allDay,
  name: 'sleep',
  settledAfterDays: 3,
  request: (window) => requestSamples('sleep', window),
  map: mapSleep,
};

const activity: Resource = {
  ...allDay,
  name: 'activity',
  settledAfterDays: 2,
  request: (window) => requestSamples('activity', window),
  map: mapActivity,
};

/** Most public clients use this path, one `/247/daily-activity-statistics`. They write its times without an offset. */
const statistics: Resource = {
  ...allDay,
  name: 'daily-activity-statistics',
  settledAfterDays: 3,
  request: ({ from, to }) => ({
    origin: 'api',
    method: 'GET',
    path: '/247samples/daily-activity-statistics',
    query: { startdate: writeUtc(from), enddate: writeUtc(to) },
    as: 'person',
  }),
  map: mapStatistics,
};

function writeUtc(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

export const SUUNTO_RESOURCES: readonly Resource[] = [workouts, changedWorkouts, sleep, activity, statistics];
