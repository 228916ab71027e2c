// Compares states of any size and lists a few differences: the diff of node:assert takes minutes and all memory for a whole
// history.
import assert from 'node:assert/strict';
import { inspect, isDeepStrictEqual } from 'node:util';

const MAX_LISTED = 5;

export function assertSameState(actual: unknown, expected: unknown, message = 'the states differ'): void {
  if (isDeepStrictEqual(actual, expected)) return;
  const found = [...findDifferences(actual, expected, '').take(MAX_LISTED + 1)];
  if (found.length > MAX_LISTED) found[MAX_LISTED] = 'and more';
  assert.fail([`${message}:`, ...found].join('\n  '));
}

/** Lines such as "daily[3].value: 5, not 6". */
function* findDifferences(actual: unknown, expected: unknown, at: string): Generator<string, undefined> {
  if (isDeepStrictEqual(actual, expected)) return;
  const [parts, others] = [listParts(actual), listParts(expected)];
  if (parts === null || others === null) {
    yield `${nameOf(at)}: ${show(actual)}, not ${show(expected)}`;
    return;
  }
  if (parts.size !== others.size) yield `${nameOf(at)}: ${parts.size} entries, not ${others.size}`;
  let hasShown = parts.size !== others.size;
  for (const name of new Set([...parts.keys(), ...others.keys()]))
    for (const line of findDifferences(parts.get(name), others.get(name), at + name)) {
      hasShown = true;
      yield line;
    }
  if (!hasShown) yield `${nameOf(at)}: ${show(actual)}, of another kind or order than ${show(expected)}`;
}

/** Members by their path suffix; null for a value that is shown as a whole. */
function listParts(value: unknown): Map<string, unknown> | null {
  if (Array.isArray(value)) return new Map(value.map((part, index) => [`[${index}]`, part]));
  if (value instanceof Map) return new Map([...value].map(([key, part]) => [`[${show(key)}]`, part]));
  if (typeof value !== 'object' || value === null) return null;
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value));
  return isPlain ? new Map(Object.entries(value).map(([name, part]) => [`.${name}`, part])) : null;
}

function nameOf(at: string): string {
  return at === '' ? 'the whole' : at.replace(/^\./, '');
}

function show(value: unknown): string {
  return inspect(value, { depth: 2, breakLength: Infinity, compact: true, maxArrayLength: 20, maxStringLength: 400 });
}
