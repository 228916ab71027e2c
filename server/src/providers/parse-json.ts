// Parses the JSON of providers without losing digits: an integer too large for a double becomes a string.
import { ProviderAnswerError } from './provider-answer-error.ts';

const WHOLE_NUMBER = /^-?\d+$/;
const LONG_DIGITS = 16;
const ZERO = 48;
const NINE = 57;
const MINUS = 45;
const BEFORE_VALUE = new Set(Buffer.from('[,: \t\r\n'));
const AFTER_VALUE = new Set(Buffer.from(',]} \t\r\n'));

export function parseJson(text: string): unknown {
  return parseJsonBytes(new TextEncoder().encode(text));
}

export function parseJsonBytes(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body);
  try {
    // The reviver costs several times as much as the rest.
    return hasLongInteger(body) ? (JSON.parse as ParseWithSource)(text, keepDigits) : JSON.parse(text);
  } catch {
    throw new ProviderAnswerError('the body is not JSON');
  }
}

/**
 * Digits of a fraction or in a string do not count. A run of this many digits covers a byte at every such step, so only those
 * positions and their surroundings are checked.
 */
function hasLongInteger(body: Uint8Array): boolean {
  const isDigit = (at: number) => (body[at] ?? 0) >= ZERO && (body[at] ?? 0) <= NINE;
  for (let at = LONG_DIGITS - 1; at < body.length; at += LONG_DIGITS) {
    if (!isDigit(at)) continue;
    let first = at;
    while (isDigit(first - 1)) first -= 1;
    while (isDigit(at + 1)) at += 1;
    const before = body[first - 1] === MINUS ? body[first - 2] : body[first - 1];
    if (at - first + 1 >= LONG_DIGITS && isIn(BEFORE_VALUE, before) && isIn(AFTER_VALUE, body[at + 1])) return true;
  }
  return false;
}

/** Undefined: the body begins or ends there. */
function isIn(bytes: ReadonlySet<number>, byte: number | undefined): boolean {
  return byte === undefined || bytes.has(byte);
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;
type ParseWithSource = (text: string, reviver: Reviver) => unknown;

function keepDigits(_name: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || !WHOLE_NUMBER.test(source)) return value;
  return source;
}
