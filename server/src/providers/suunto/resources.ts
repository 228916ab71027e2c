// What can be requested from Suunto. All of it needs the subscription to the product "Suunto API" or "24/7"; a request without
// is answered with 401 or 403.

import { DAY_MS } from '../../domain/time/durations.ts';
import type { FetchWindow, FollowUp, ProviderAnswer, ProviderFailure, ProviderRequest, Resource } from '../contract.ts';
import { isObject } from '../read-json.ts';
import { dropRecordedPositions } from '../read-recording.ts';
import { mapActivity } from './map-activity.ts';
import { mapSleep } from './map-sleep.ts';
import { mapStatistics } from './map-statistics.ts';
import { listRecords, mapWorkoutFile, mapWorkouts } from './map-workouts.ts';
import { isPage, listWorkouts, pathOf, requestFile, WORKOUTS } from './workout-items.ts';

const MAX_WORKOUTS = 100;
/** More than any user has in a window: with a server that ignores the offset there would be no last page. */
const MAX_OFFSET = 100 * MAX_WORKOUTS;
/** The longest is 28 days; with one day less it also holds where a day has 25 hours. */
const WINDOW_DAYS = 27;

const common = {
  scope: null,
  isEmpty: ({ status }: ProviderAnswer) => status === 204,
} as const;

const workoutPages = {
  ...common,
  requestOne: (key: string): ProviderRequest => ({ origin: 'api', method: 'GET', path: pathOf(key), as: 'person' }),
  /** By offset: a page that is not full is the last one. */
  nextCursor(body: unknown, cursor: string | null = null): string | null {
    const { length } = listWorkouts(body);
    const offset = Number(cursor ?? 0) + length;
    return length < MAX_WORKOUTS || offset >= MAX_OFFSET ? null : String(offset);
  },
  listRecords,
  followUps: (body: unknown): readonly FollowUp[] => (isPage(body) ? [] : listWorkouts(body).flatMap(followUp)),
  /** A missing workout, but not an empty list: that is how the gateway answers a wrong path or an ended subscription. */
  isGone: ({ status }: ProviderAnswer) => status === 204 || status === 404,
  readFailure: ({ body }: ProviderAnswer): ProviderFailure | null =>
    isObject(body) && (body.error ?? null) !== null ? 'unavailable' : null,
  map: mapWorkouts,
  withoutPositions,
} as const;

const workouts: Resource = {
  ...workoutPages,
  name: WORKOUTS,
  windowDays: 90,
  settledAfterDays: 14,
  reconciles: 'workouts', // nothing reports a deletion
  /** By start: a workout that began the day before is in the window, too. */
  request: ({ from, to }, cursor) => requestWorkouts({ since: from - DAY_MS, until: to }, cursor, false),
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

/** Route, laps and heart rates, in a FIT file that is not there yet when the webhook arrives. */
const files: Resource = {
  ...common,
  name: 'workout-file',
  windowDays: 90,
  settledAfterDays: 0,
  isFollowUp: true,
  request: ({ from, to }, cursor) => requestWorkouts({ since: from, until: to }, cursor, false),
  nextCursor: () => null,
  isEmpty: ({ status }) => status === 204 || status === 404,
  comesLater: true,
  map: mapWorkoutFile,
  withoutPositions: dropRecordedPositions,
};

function followUp(item: unknown): FollowUp[] {
  const request = requestFile(item);
  return request === null ? [] : [{ resource: files.name, request, calledBy: item }];
}

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

const allDay = { ...common, windowDays: WINDOW_DAYS, nextCursor: () => null } as const;

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

const POSITIONS: readonly string[] = ['startPosition', 'stopPosition', 'centerPosition', 'polyline'];

/** Suunto lists workouts with the places where they began and ended, whether we want them or not. */
function withoutPositions(body: unknown): unknown {
  if (!isObject(body)) return body;
  const { payload } = body;
  return { ...body, payload: Array.isArray(payload) ? payload.map(dropPositions) : dropPositions(payload) };
}

function dropPositions(workout: unknown): unknown {
  if (!isObject(workout)) return workout;
  return Object.fromEntries(Object.entries(workout).filter(([name]) => !POSITIONS.includes(name)));
}

export const SUUNTO_RESOURCES: readonly Resource[] = [workouts, changedWorkouts, files, sleep, activity, statistics];
