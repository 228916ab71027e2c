// Parses the JSON of providers without losing digits: an integer too large for a double becomes a string.
import { ProviderAnswerError } from './provider-answer-error.ts';

const WHOLE_NUMBER = /^-?\d+$/;
const LONG_DIGITS = 16;
const ZERO = 48;
const NINE = 57;

export function parseJson(text: string): unknown {
  return parseJsonBytes(new TextEncoder().encode(text));
}

export function parseJsonBytes(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  try {
    // The reviver costs several times as much as the rest.
    return hasLongNumber(body) ? (JSON.parse as ParseWithSource)(text, keepDigits) : JSON.parse(text);
  } catch {
    throw new ProviderAnswerError('the body is not JSON');
  }
}

/** A run of this many digits covers a byte at every such step, so only those positions and their surroundings are checked. */
function hasLongNumber(body: Uint8Array): boolean {
  const isDigit = (at: number) => (body[at] ?? 0) >= ZERO && (body[at] ?? 0) <= NINE;
  for (let at = LONG_DIGITS - 1; at < body.length; at += LONG_DIGITS) {
    if (!isDigit(at)) continue;
    let first = at;
    while (isDigit(first - 1)) first -= 1;
    let last = at;
    while (isDigit(last + 1)) last += 1;
    if (last - first + 1 >= LONG_DIGITS) return true;
  }
  return false;
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;
type ParseWithSource = (text: string, reviver: Reviver) => unknown;

function keepDigits(_name: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !WHOLE_NUMBER.test(source)) return value;
  return source;
}
