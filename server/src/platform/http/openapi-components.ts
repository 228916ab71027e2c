// Collects the named schemas of the OpenAPI document: a schema with a title becomes a component, and its uses refer to it.

import { isDeepStrictEqual } from 'node:util';

export type Json = Record<string, unknown>;

export type Components = {
  /** Replaces every named schema by a reference. `name` is for a schema that has no title. */
  refer(schema: Json, name?: string): Json;
  /** By name. */
  list(): Record<string, Json>;
};

/** A dictionary (json-schema.ts); generators of clients know only `additionalProperties`. */
const ANY_KEY = '^.*$';

export function createComponents(): Components {
  const components = new Map<string, Json>();

  function refer(schema: Json, fallback?: string): Json {
    const name = (schema.title as string | undefined) ?? fallback;
    if (name === undefined) return rewrite(schema, refer);
    const { title: _, description, default: preset, ...bare } = withoutNull(schema);
    const isText = bare.type === 'string';
    const body = { ...(description !== undefined && !isText && { description }), ...rewrite(bare, refer) };
    const known = components.get(name);
    if (known === undefined) components.set(name, body);
    else if (!isSame(known, body)) throw new Error(`two schemas have the title ${name}`);
    const own = {
      ...(components.get(name)?.description !== description && { description }),
      ...(preset !== undefined && { default: preset }),
    };
    const reference = { $ref: `#/components/schemas/${name}` };
    return isNullable(schema) ? { anyOf: [reference, { type: 'null' }], ...own } : { ...reference, ...own };
  }

  return {
    refer,
    list: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Applies `refer` to the schemas inside. */
function rewrite(schema: Json, refer: (schema: Json) => Json): Json {
  const entries = Object.entries(asDictionary(schema));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, rewriteKeyword(keyword, value, refer)]));
}

function asDictionary(schema: Json): Json {
  const { patternProperties, properties, ...rest } = schema as Json & Record<string, Record<string, Json> | undefined>;
  const values = patternProperties?.[ANY_KEY];
  if (values) return { ...rest, additionalProperties: values };
  const isEmpty = properties !== undefined && Object.keys(properties).length === 0;
  return isEmpty && rest.additionalProperties ? rest : schema;
}

function rewriteKeyword(keyword: string, value: unknown, refer: (schema: Json) => Json): unknown {
  if (keyword === 'properties')
    return Object.fromEntries(Object.entries(value as Record<string, Json>).map(([name, each]) => [name, refer(each)]));
  if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf') return (value as Json[]).map(refer);
  const isSchema = (keyword === 'items' || keyword === 'additionalProperties') && typeof value === 'object';
  return isSchema && value !== null && !Array.isArray(value) ? refer(value as Json) : value;
}

function isNullable({ type }: Json): boolean {
  return Array.isArray(type) && type.includes('null');
}

function withoutNull(schema: Json): Json {
  if (!isNullable(schema)) return schema;
  const { type: types, ...rest } = schema as Json & { type: string[] };
  const [type] = types.filter((each) => each !== 'null');
  const { enum: words } = schema as { enum?: unknown[] };
  return { type, ...rest, ...(words && { enum: words.filter((word) => word !== null) }) };
}

/** Descriptions may differ between uses. */
function isSame(one: Json, other: Json): boolean {
  return isDeepStrictEqual({ ...one, description: '' }, { ...other, description: '' });
}
