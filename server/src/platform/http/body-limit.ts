// Derives the size limit of a route's JSON body from its schema, so that a call with a few fields accepts a few kB. Assumes
// that every character is escaped, and allows the same size again for indentation.
import { KEYS_PER_OBJECT } from './json-limits.ts';
import type { Route } from './route.ts';

type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly maxProperties?: number;
  readonly propertyNames?: { readonly maxLength?: number };
};

const MIN_BYTES = 4_096; // small invalid bodies still get field errors
const INDENTATION_BYTES = 65_536; // maximum; programs that write large bodies do not indent them
const BYTES_PER_CHARACTER = 6; // \u00e9
const PUNCTUATION_BYTES = 4; // quotes, colon, comma
const NUMBER_BYTES = 32; // also for true, false and null
const FORMATTED_LENGTH = 40; // a UUID or a time
/** Used if the schema has no maxLength: tokens, addresses. */
const TEXT_LENGTH = 2_048;
const NAME_BYTES = 64; // our IDs, in maps whose keys are data
const MAX_ITEMS = 64;
const MAX_BYTES = 1_048_576; // all JSON calls except uploads (gap G-60)

export function bodyLimitOf({ dialects }: Pick<Route, 'dialects'>): number {
  const schemas = 'both' in dialects ? [dialects.both.body] : [dialects[1].body, dialects[2].body];
  const sizes = schemas.map((schema) => (schema === null ? 0 : withIndentation(measure(schema as Schema))));
  return Math.min(MAX_BYTES, Math.max(MIN_BYTES, ...sizes));
}

function withIndentation(bytes: number): number {
  return bytes + Math.min(bytes, INDENTATION_BYTES);
}

function measure(schema: Schema): number {
  const types = [schema.type ?? []].flat();
  if (types.includes('object')) return measureObject(schema);
  if (schema.items !== undefined)
    return 2 + (schema.maxItems ?? MAX_ITEMS) * (measure(schema.items) + PUNCTUATION_BYTES);
  if (schema.enum !== undefined) return Math.max(...schema.enum.map((word) => textBytes(String(word).length)));
  if (types.includes('string')) return textBytes(schema.maxLength ?? (schema.format ? FORMATTED_LENGTH : TEXT_LENGTH));
  return NUMBER_BYTES;
}

function measureObject(schema: Schema): number {
  const { properties = {}, patternProperties = {}, additionalProperties, maxProperties = KEYS_PER_OBJECT } = schema;
  const fields = Object.entries(properties).map(([name, value]) => name.length + measure(value) + PUNCTUATION_BYTES);
  const maps = [...Object.values(patternProperties), additionalProperties].filter((value) => typeof value === 'object');
  const nameBytes = schema.propertyNames?.maxLength ? textBytes(schema.propertyNames.maxLength) : NAME_BYTES;
  const entries = maps.map((value) => maxProperties * (nameBytes + measure(value) + PUNCTUATION_BYTES));
  return [2, ...fields, ...entries].reduce((sum, bytes) => sum + bytes);
}

function textBytes(length: number): number {
  return length * BYTES_PER_CHARACTER + PUNCTUATION_BYTES;
}
