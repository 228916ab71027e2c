// What all Withings responses have in common: status 200, their own status inside, and the data in `body`.
// https://developer.withings.com/api-reference/#section/Response-status
import type { ProviderAnswer, ProviderFailure } from '../contract.ts';
import { asObject, type JsonObject, readFlag, readId, readNumber } from '../read-json.ts';

const OK = 0;
const UNAUTHORIZED: readonly number[] = [100, 101, 102, 200, 401];
const FORBIDDEN: readonly number[] = [214, 277, 2553, 2555];
export const RATE_LIMITED = 601;

export function readStatus(body: unknown): number | null {
  return typeof body === 'object' && body !== null ? readNumber(body as JsonObject, 'status') : null;
}

/** Null: success, or the HTTP status decides. */
export function readFailure({ status, body }: ProviderAnswer): ProviderFailure | null {
  if (status !== 200) return null;
  const code = readStatus(body);
  if (code === OK) return null;
  if (code === null) return 'unavailable';
  if (isUnauthorized(code)) return 'unauthorized';
  if (FORBIDDEN.includes(code)) return 'forbidden';
  if (code === RATE_LIMITED) return 'rate_limited';
  return isOurFault(code) ? 'bad_request' : 'unavailable';
}

export function isUnauthorized(code: number): boolean {
  return UNAUTHORIZED.includes(code);
}

function isOurFault(code: number): boolean {
  const between = (min: number, max: number) => code >= min && code <= max;
  return between(201, 213) || between(216, 295) || code === 400 || between(501, 511);
}

export function readBody(answer: unknown): JsonObject {
  return asObject(asObject(answer).body, 'body');
}

/** The `offset` of the next page while `more` is set. */
export function readNextOffset(answer: unknown): string | null {
  const body = readBody(answer);
  const more = body.more ?? false;
  const hasMore = typeof more === 'number' ? more !== 0 : readFlag(body, 'more') === true;
  return hasMore ? readId(body, 'offset') : null;
}
