// Makes a valid request invalid in one place: a wrong type, a hostile text, a missing or an additional field.
import type { Random } from '../faults/random.ts';
import { pick } from './generate-value.ts';

const LONG_TEXT = 70_000; // longer than any field may be, shorter than a body
const DEEP = 120;

const HOSTILE: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '💥'.repeat(200),
  'x'.repeat(LONG_TEXT),
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '../../etc/passwd',
  '%00',
  '%',
  '\r\nSet-Cookie: a=b',
  '-1',
  '1e3',
  '0x10',
  '2026-02-30',
  '0000-00-00',
  '9999-12-31',
  '10000-01-01',
  '-271821-04-20',
  '2026-01-01T00:00:00+99:99',
  '2026-01-01T24:00:01Z',
  'Mars/Olympus',
  'javascript:alert(1)',
  'http://127.0.0.1:1/',
  '00000000-0000-0000-0000-000000000000',
  0,
  -1,
  -0.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  [],
  [null],
  {},
  { __proto__: null, constructor: { prototype: {} } },
  nest(DEEP),
];

export function hostileValue(random: Random): unknown {
  return pick(random, HOSTILE);
}

/** A copy of the value with one change at a random depth. */
export function spoilValue(random: Random, value: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && random.integer(0, 3) > 0) return spoilArray(random, value);
  if (isObject(value) && random.integer(0, 5) > 0) return spoilObject(random, value);
  return hostileValue(random);
}

function spoilArray(random: Random, items: readonly unknown[]): unknown[] {
  const index = random.integer(0, items.length - 1);
  if (random.integer(0, 4) === 0) return [...items, ...items]; // doubled
  return items.with(index, spoilValue(random, items[index]));
}

function spoilObject(random: Random, value: Readonly<Record<string, unknown>>): object {
  const names = Object.keys(value);
  const name = names.length === 0 ? 'absent' : pick(random, names);
  const { [name]: before, ...rest } = value;
  switch (random.integer(0, 3)) {
    case 0:
      return rest;
    case 1:
      return { ...value, [pick(random, ['extra', '__proto__', 'id', 'account_id', 'status'])]: hostileValue(random) };
    default:
      return { ...rest, [name]: spoilValue(random, before) };
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nest(depth: number): unknown {
  return depth === 0 ? 1 : [nest(depth - 1)];
}

/** Bytes that are not the JSON they claim to be. */
export function spoilText(random: Random, text: string): string | Buffer<ArrayBuffer> {
  switch (random.integer(0, 5)) {
    case 0:
      return text.slice(0, random.integer(0, text.length));
    case 1:
      return `${text}}`;
    case 2:
      return Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]); // not UTF-8
    case 3:
      return text.replace('{', '{"__proto__":{"a":1},');
    case 4:
      return 'null';
    default:
      return `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  }
}
