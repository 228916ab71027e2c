// Activities: a list names them, each is then fetched on its own with its streams, so that a spent budget interrupts a history
// between two activities. https://developers.strava.com/docs/reference/
import type { FetchWindow, ProviderAnswer, ProviderRequest, Resource } from '../contract.ts';
import { asObject, isObject } from '../read-json.ts';
import { readMoment } from '../read-time.ts';
import { hasStreams, listRecords, mapActivity, mapStreams } from './map-activity.ts';
import { READ_ACTIVITIES } from './oauth.ts';
import { ROUTE_KEYS, STREAM_KEYS } from './streams.ts';

const PER_PAGE = 200; // the most that Strava allows
const WINDOW_DAYS = 90;

export const STRAVA_ACTIVITIES = 'activities';
const STREAMS = 'streams';

const get = (path: string, query: Readonly<Record<string, string>> = {}): ProviderRequest => ({
  origin: 'api',
  method: 'GET',
  path: `/api/v3${path}`,
  query,
  as: 'person',
});

/** Also of an activity that is still being processed. */
const isMissing = ({ status }: ProviderAnswer) => status === 404;

const activitiesResource: Resource = {
  name: STRAVA_ACTIVITIES,
  scope: READ_ACTIVITIES,
  windowDays: WINDOW_DAYS,
  settledAfterDays: 3, // watches upload late
  request: (window, cursor) =>
    get('/athlete/activities', { ...boundsOf(window), per_page: String(PER_PAGE), ...readCursor(cursor) }),
  requestOne: (id) => get(`/activities/${encodeURIComponent(id)}`, { include_all_efforts: 'false' }),
  nextCursor,
  withoutPositions: dropPositions,
  listRecords,
  followUps: (body, { keepsRoutes }) => (hasStreams(body) ? listStreams(body, keepsRoutes === true) : []),
  isEmpty: isMissing,
  comesLater: true,
  map: mapActivity,
};

const streamsResource: Resource = {
  name: STREAMS,
  scope: READ_ACTIVITIES,
  windowDays: WINDOW_DAYS,
  settledAfterDays: 3,
  isFollowUp: true,
  request: () => get('/athlete/activities'),
  nextCursor: () => null,
  withoutPositions: dropPositions,
  isEmpty: isMissing,
  comesLater: true,
  map: mapStreams,
};

export const STRAVA_RESOURCES: readonly Resource[] = [activitiesResource, streamsResource];

/** Both bounds are exclusive, so they are a second wider. */
function boundsOf({ from, to }: FetchWindow) {
  return { after: String(Math.floor(from / 1_000) - 1), before: String(Math.ceil(to / 1_000)) };
}

/** Fields of an activity with positions, most of which come whether the account keeps routes or not. */
const POSITIONS = [
  'map',
  'start_latlng',
  'end_latlng',
  'start_latitude',
  'start_longitude',
  'segment_efforts',
  'latlng',
  'location_city',
  'location_state',
  'location_country',
  'photos',
];

function dropPositions(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(dropPositions);
  if (!isObject(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => !POSITIONS.includes(name)));
}

/**
 * A page may have fewer entries than requested although it is not the last one, and page numbers shift when an activity is added.
 * So the next page begins at the last start of this one, up to an empty page; its number only counts while no start can be read.
 * With `after` Strava lists the oldest first, otherwise the newest.
 */
function nextCursor(body: unknown, cursor: string | null = null): string | null {
  if (!Array.isArray(body) || body.length === 0) return null;
  const starts = body.flatMap(readStart);
  if (starts.length === 0) return nextPage(cursor);
  return isNewestFirst(starts, cursor) ? `before ${Math.min(...starts)}` : `after ${Math.max(...starts)}`;
}

function isNewestFirst(starts: readonly number[], cursor: string | null): boolean {
  const [first = 0] = starts;
  const last = starts.at(-1) ?? first;
  if (first === last) return cursor?.startsWith('before') === true;
  return starts.every((start, index) => start <= (starts[index - 1] ?? start));
}

function nextPage(cursor: string | null): string {
  const { page = '1', ...bound } = readCursor(cursor);
  const [name, seconds] = Object.entries(bound)[0] ?? [];
  const next = `page ${Number(page) + 1}`;
  return name === undefined ? next : `${name} ${seconds} ${next}`;
}

function readStart(entry: unknown): number[] {
  try {
    const moment = readMoment(asObject(entry), 'start_date');
    return moment === null ? [] : [Math.floor(moment.ms / 1_000)];
  } catch {
    return [];
  }
}

/** `after 1772344800`, `page 2`, or both. */
const CURSOR = /^(?:(after|before) (-?\d+))? ?(?:page (\d+))?$/;

function readCursor(cursor: string | null): Readonly<Record<string, string>> {
  const [, name, seconds, page] = CURSOR.exec(cursor ?? '') ?? [];
  return {
    ...(name !== undefined && seconds !== undefined && { [name]: seconds }),
    ...(page !== undefined && { page }),
  };
}

function listStreams(body: Readonly<Record<string, unknown>>, keepsRoutes: boolean) {
  const id = typeof body.id === 'string' || typeof body.id === 'number' ? String(body.id) : null;
  if (id === null) return [];
  const keys = [...STREAM_KEYS, ...(keepsRoutes ? ROUTE_KEYS : [])].join();
  const request = get(`/activities/${encodeURIComponent(id)}/streams`, { keys, key_by_type: 'true' });
  return [{ resource: STREAMS, request, calledBy: body }];
}
