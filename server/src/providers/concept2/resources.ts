// Results in two ways: by the date of the workout for the history and deletions, and by the time of the last change for results
// that were uploaded or corrected long after the workout. https://log.concept2.com/developers/documentation/#logbook-users-results
import { addDays } from '../../domain/time/calendar.ts';
import type { FollowUp, ProviderAnswer, ProviderRequest, Resource } from '../contract.ts';
import { collectRecords } from '../provider-records.ts';
import { asObject, readId, readNumber, readPart } from '../read-json.ts';
import { ACCEPT } from './accept.ts';
import { mapResults } from './map-results.ts';
import { mapStrokes } from './map-strokes.ts';
import { hasStrokes, listResults } from './result.ts';

const PATH = '/api/users/me/results';
/** The default, at most 250. Each result may need a request for its strokes, and a page is committed as a whole. */
const PAGE_SIZE = '50';

const ofResults = {
  scope: 'results:read',
  windowDays: 30,
  requestOne: (id: string) => get(`${PATH}/${encodeURIComponent(id)}`),
  nextCursor: readNextPage,
  followUps: followStrokes,
  isEmpty: () => false, // a user without results has an empty list
  isGone: ({ status }: ProviderAnswer) => status === 404,
  map: mapResults,
};

export const CONCEPT2_RESOURCES: readonly Resource[] = [
  {
    ...ofResults,
    name: 'results',
    settledAfterDays: 14,
    reconciles: 'workouts',
    /** Dates are local to the place of the workout, and no source says whether `to` is included: a day more on both sides. */
    request: ({ fromDate, toDate }, cursor) => getPage({ from: addDays(fromDate, -1), to: addDays(toDate, 1) }, cursor),
  },
  {
    ...ofResults,
    name: 'updated_results',
    settledAfterDays: 1,
    isCurrentOnly: true,
    request: ({ from }, cursor) => getPage({ updated_after: writeUtc(from) }, cursor),
  },
  {
    name: 'strokes',
    scope: 'results:read',
    windowDays: 30,
    settledAfterDays: 1,
    isFollowUp: true,
    isOptional: true, // 404 for some results although their `stroke_data` is true
    request: (_window, cursor) => requestStrokes(cursor ?? ''),
    nextCursor: () => null,
    isEmpty: ({ status }) => status === 404,
    map: mapStrokes,
  },
];

function getPage(query: Readonly<Record<string, string>>, cursor: string | null): ProviderRequest {
  return get(PATH, { ...query, number: PAGE_SIZE, ...(cursor !== null && { page: cursor }) });
}

function get(path: string, query: Readonly<Record<string, string>> = {}): ProviderRequest {
  return { origin: 'api', method: 'GET', path, query, headers: ACCEPT, as: 'person' };
}

function requestStrokes(id: string): ProviderRequest {
  return get(`${PATH}/${encodeURIComponent(id)}/strokes`);
}

/** `2026-03-02 06:05:10`, in UTC. */
function writeUtc(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}

/** We count pages instead of following `links.next`, which lacks the parameters of the request. */
function readNextPage(body: unknown): string | null {
  const meta = readPart(asObject(body), 'meta');
  const pages = meta === null ? null : readPart(meta, 'pagination');
  const current = pages === null ? null : readNumber(pages, 'current_page');
  const total = pages === null ? null : readNumber(pages, 'total_pages');
  return current === null || total === null || current >= total ? null : String(current + 1);
}

/** The workout is mapped together with its strokes, so that it is written once and complete. */
function followStrokes(body: unknown): FollowUp[] {
  const followUps: FollowUp[] = [];
  collectRecords().each(listResults(body), (result) => {
    const id = readId(result, 'id');
    if (id === null || !hasStrokes(result)) return;
    followUps.push({ resource: 'strokes', request: requestStrokes(id), calledBy: result });
  });
  return followUps;
}
