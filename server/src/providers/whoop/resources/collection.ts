// Collections of WHOOP: newest first, at most 25 per page, filtered by start. https://developer.whoop.com/api
import type { FetchInterval, ProviderRequest } from '../../contract.ts';
import { asObject, type JsonObject, readPart, readText, readValues } from '../../read-json.ts';

export const WINDOW_DAYS = 30;
/** Sleeps and workouts arrive unscored first, and may be edited for days. */
export const SETTLED_AFTER_DAYS = 4;
const PAGE_SIZE = '25';

const iso = (ms: number) => new Date(ms).toISOString();

export function requestPage(path: string, { from, to }: FetchInterval, cursor: string | null): ProviderRequest {
  const page = cursor === null ? {} : { nextToken: cursor };
  const query = { limit: PAGE_SIZE, start: iso(from), end: iso(to), ...page };
  return { origin: 'api', method: 'GET', path: `/developer${path}`, query, as: 'person' };
}

export function requestRecord(path: string, id: string): ProviderRequest {
  return { origin: 'api', method: 'GET', path: `/developer${path}/${encodeURIComponent(id)}`, as: 'person' };
}

/** Requested as `nextToken`, returned as `next_token`. */
export function readNextToken(body: unknown): string | null {
  return readText(asObject(body), 'next_token');
}

/** One page, or the record requested by its id. Empty without a response. */
export function listRecords(body: unknown): readonly unknown[] {
  if (body === null) return [];
  const page = asObject(body);
  return 'records' in page ? readValues(page, 'records') : [page];
}

const UNSCORED = ['PENDING_SCORE', 'UNSCORABLE'];

/**
 * The values of a record. `score_state` is PENDING_SCORE while WHOOP computes them and UNSCORABLE if it cannot: values in such a
 * record are outdated and dropped. Without a state or with an unknown one the values are read, because WHOOP sends a score only
 * if there is one.
 */
export function readScore(record: JsonObject): JsonObject | null {
  const isUnscored = UNSCORED.includes(readText(record, 'score_state') ?? '');
  return isUnscored ? null : readPart(record, 'score');
}
