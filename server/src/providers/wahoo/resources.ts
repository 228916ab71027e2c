// Workouts, newest first. The list has no filter by time, so pages are read until one ends before the window. The recording of a workout is
// a FIT file on a CDN, which refuses requests with an Authorization header. https://cloud-api.wahooligan.com/#workouts
import { DAY_MS } from '../../domain/time/durations.ts';
import type { FetchWindow, FollowUp, ProviderRequest, Resource } from '../contract.ts';
import { asObject } from '../read-json.ts';
import { dropRecordedPositions } from '../read-recording.ts';
import { listRecords, mapWorkoutFile, mapWorkouts } from './map-workouts.ts';
import { toNumber } from './read-decimal.ts';
import { isPage, listWorkouts, requestFile } from './workout-items.ts';

const PATH = '/v1/workouts';
const PAGE_SIZE = '30';
const WHOLE_HISTORY_DAYS = 3_650;

const workouts: Resource = {
  name: 'workouts',
  scope: 'workouts_read',
  windowDays: WHOLE_HISTORY_DAYS,
  settledAfterDays: 14, // devices upload late, and nothing reports a deletion
  reconciles: 'workouts',
  request(_, cursor) {
    const [page = '1', size = PAGE_SIZE] = cursor?.split('/') ?? [];
    return get(PATH, { page, per_page: size });
  },
  requestOne: (id) => get(`${PATH}/${encodeURIComponent(id)}`),
  nextCursor: nextPage,
  endsBefore,
  listRecords,
  followUps,
  isEmpty: () => false,
  isGone: ({ status }) => status === 404,
  map: mapWorkouts,
};

const NO_FILE: readonly number[] = [401, 403, 404, 410, 413];

/** Links expire, so a file that is refused, gone or too large is a workout without a recording. */
const files: Resource = {
  name: 'workout-file',
  scope: 'workouts_read',
  windowDays: 1,
  settledAfterDays: 0,
  isFollowUp: true,
  request: () => get(PATH),
  nextCursor: () => null,
  isEmpty: ({ status }) => NO_FILE.includes(status),
  map: mapWorkoutFile,
  withoutPositions: dropRecordedPositions,
};

export const WAHOO_RESOURCES: readonly Resource[] = [workouts, files];

function get(path: string, query: Readonly<Record<string, string>> = {}): ProviderRequest {
  return { origin: 'api', method: 'GET', path, query, as: 'person' };
}

/** With the page size: numbers of pages depend on it. */
function nextPage(body: unknown, cursor: string | null = null): string | null {
  const answer = asObject(body);
  const [sentPage, sentSize] = cursor?.split('/') ?? ['1', PAGE_SIZE];
  const page = toNumber(answer.page) || Number(sentPage);
  const size = toNumber(answer.per_page) || Number(sentSize);
  const total = toNumber(answer.total);
  const { length } = listWorkouts(body);
  // Without a total, a page that is not full is the last one.
  const hasMore = total === null ? length >= size : length > 0 && page * size < total;
  return hasMore ? `${page + 1}/${size}` : null;
}

/** A day of tolerance, because a workout is listed by its start. */
function endsBefore(body: unknown, { from }: FetchWindow): boolean {
  const starts = listWorkouts(body).map((item) => Date.parse(readStart(item)));
  return starts.length > 0 && starts.every((start) => start < from - DAY_MS);
}

function readStart(item: unknown): string {
  const starts = typeof item === 'object' && item !== null && 'starts' in item ? item.starts : null;
  return typeof starts === 'string' ? starts : '';
}

function followUps(body: unknown): readonly FollowUp[] {
  if (isPage(body)) return [];
  return listWorkouts(body).flatMap((item) => {
    const request = requestFile(item);
    return request === null ? [] : [{ resource: files.name, request, calledBy: item }];
  });
}
