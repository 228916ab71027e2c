// Every answer is HTTP 200 with a result code. "0000" is success, and a few others are known.
import type { ProviderAnswer, ProviderFailure } from '../contract.ts';
import { isObject, type JsonObject } from '../read-json.ts';

const TOKEN_INVALID = '5006';
const FAILURES: Readonly<Record<string, ProviderFailure>> = {
  [TOKEN_INVALID]: 'unauthorized',
  '5010': 'bad_request', // openId does not belong to the token
  '5016': 'unavailable', // busy
};

/** An unknown code may be anything, so the request is repeated later. */
export function readFailure({ status, body }: ProviderAnswer): ProviderFailure | null {
  if (status !== 200) return null;
  const code = readCode(body);
  return isSuccess(code) ? null : (FAILURES[code ?? ''] ?? 'unavailable');
}

/** Null: there is none. */
export function readCode(body: unknown): string | null {
  const { result = null } = isObject(body) ? body : ({} as JsonObject);
  return typeof result === 'string' || typeof result === 'number' ? String(result) : null;
}

export function isSuccess(code: string | null): boolean {
  return code !== null && /^0+$/.test(code);
}

export function isTokenInvalid(code: string | null): boolean {
  return code === TOKEN_INVALID;
}
