// Draws values that fit a schema of the published document, boundaries included.
import { DAY_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import type { Random } from '../faults/random.ts';
import type { JsonSchema } from './json-schema.ts';

export type Draw = {
  readonly random: Random;
  /** Values that make an operation succeed, by the name of the field; `NAME.*` has keys for the map of that name, `*` for the others. */
  readonly known: Readonly<Record<string, readonly unknown[]>>;
};

const RECENT_DAYS = 20;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const MOST_ITEMS = 4;
/** Without a seed, a sandbox user gets a history, which takes half a second; a change of rules without metrics is seldom one. */
const ALWAYS_SENT = ['seed', 'metrics'];

export function generateValue(draw: Draw, schema: JsonSchema, name = ''): unknown {
  const { random, known } = draw;
  const fitting = known[name] ?? [];
  if (fitting.length > 0 && chance(random, 90)) return pick(random, fitting);
  if (schema.anyOf) return generateValue(draw, pick(random, schema.anyOf), name);
  if (schema.enum) return pick(random, schema.enum);
  const type = typeof schema.type === 'string' ? schema.type : pick(random, schema.type ?? ['string']);
  switch (type) {
    case 'string':
      return generateText(random, schema);
    case 'integer':
      return Math.round(generateNumber(random, schema));
    case 'number':
      return generateNumber(random, schema);
    case 'boolean':
      return chance(random, 50);
    case 'array':
      return generateArray(draw, schema, name);
    case 'object':
      return generateObject(draw, schema, name);
    default:
      return null;
  }
}

export function chance(random: Random, percent: number): boolean {
  return random.integer(1, 100) <= percent;
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[random.integer(0, items.length - 1)] as Item;
}

function generateText(random: Random, { format, minLength = 0, maxLength = 24 }: JsonSchema): string {
  const recent = new Date(Date.now() - random.integer(0, RECENT_DAYS * DAY_MS));
  if (format === 'date') return recent.toISOString().slice(0, 10);
  if (format === 'date-time') return recent.toISOString();
  if (format === 'uuid') return drawUuid(random);
  if (format === 'email') return `${drawLetters(random, 8)}@example.org`;
  const longest = chance(random, 5) ? maxLength : Math.min(maxLength, Math.max(minLength, 12));
  return drawLetters(random, random.integer(Math.min(Math.max(minLength, 1), longest), longest));
}

export function drawUuid(random: Random): string {
  const hex = Array.from({ length: 32 }, () => random.integer(0, 15).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

function drawLetters(random: Random, length: number): string {
  return Array.from({ length }, () => LETTERS[random.integer(0, LETTERS.length - 1)]).join('');
}

function generateNumber(random: Random, { minimum = 0, maximum = minimum + 100 }: JsonSchema): number {
  if (chance(random, 20)) return pick(random, [minimum, maximum]);
  return minimum + ((maximum - minimum) * random.integer(0, 1_000)) / 1_000;
}

function generateArray(draw: Draw, schema: JsonSchema, name: string): unknown[] {
  const { items = {}, minItems = 0, maxItems = MOST_ITEMS } = schema;
  const length = draw.random.integer(minItems, Math.min(maxItems, minItems + MOST_ITEMS));
  const drawn = Array.from({ length }, () => generateValue(draw, items, name));
  return schema.uniqueItems ? [...new Set(drawn)] : drawn;
}

function generateObject(draw: Draw, schema: JsonSchema, name: string): object {
  const { random, known } = draw;
  const { properties = {}, required = [] } = schema;
  const isSent = (name: string) => required.includes(name) || ALWAYS_SENT.includes(name) || chance(random, 40);
  const names = Object.keys(properties).filter(isSent);
  while (names.length < (schema.minProperties ?? 0)) names.push(pick(random, Object.keys(properties)));
  const drawn = names.map((name) => [name, generateSpan(draw, properties[name] ?? {}, name)]);
  const keys = known[`${name}.*`] ?? known['*'] ?? ['key'];
  const ofMap = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
  if (typeof ofMap === 'object')
    for (let left = random.integer(0, 3); left > 0; left -= 1)
      drawn.push([pick(random, keys), generateValue(draw, ofMap)]);
  return Object.fromEntries(drawn);
}

/** An end follows its start closely enough, most of the time, for a sample, a sleep or a workout. */
function generateSpan(draw: Draw, schema: JsonSchema, name: string): unknown {
  const startMs = Math.floor(Date.now() / DAY_MS) * DAY_MS - draw.random.integer(1, 10) * 2 * DAY_MS;
  if (schema.format === 'date-time' && name === 'start') return new Date(startMs).toISOString();
  if (schema.format === 'date-time' && name === 'end')
    return new Date(startMs + draw.random.integer(1, 600) * MINUTE_MS).toISOString();
  return generateValue(draw, schema, name);
}
