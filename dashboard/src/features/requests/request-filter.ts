// The filters of calls, as they stand in the address.
import { readTexts } from '../../shared/routing/read-texts.ts';

export const OUTCOMES = ['2xx', '4xx', '5xx', 'slow'] as const;
export const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;

export type RequestFilter = {
  /** A class of statuses, or calls that took long. */
  readonly outcome?: (typeof OUTCOMES)[number];
  readonly method?: (typeof METHODS)[number];
  readonly route?: string;
  /** The id of an API key. */
  readonly key?: string;
  /** The id or the reference of a user. */
  readonly user?: string;
  readonly error?: string;
  readonly q?: string;
};

const TEXTS = ['route', 'key', 'user', 'error', 'q'] as const;
const MAX_LENGTH = 200;

export function readFilter(search: Record<string, unknown>): RequestFilter {
  const outcome = OUTCOMES.find((one) => one === search.outcome);
  const method = METHODS.find((one) => one === search.method);
  const texts = Object.entries(readTexts(search, TEXTS)).map(([name, text]) => [name, text.slice(0, MAX_LENGTH)]);
  return { ...(outcome && { outcome }), ...(method && { method }), ...Object.fromEntries(texts) };
}

/** The parameters of the call. */
export function filterParameters({ outcome, ...others }: RequestFilter) {
  if (outcome === undefined) return others;
  return outcome === 'slow' ? { ...others, outcome: 'slow' } : { ...others, status: outcome };
}
