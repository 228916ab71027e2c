// A schema as a nested list of fields. Pure.
import { type Html, html } from '../../../../platform/pages/html.ts';
import { renderInline } from '../render-inline.ts';
import type { Schema } from './openapi-types.ts';
import { type OperationGroup, resolveSchema, schemaNameOf } from './read-operations.ts';

/** Deeper fields are in the OpenAPI document. */
const MAX_DEPTH = 5;
const MAX_WORDS = 12;

type Schemas = OperationGroup['schemas'];

export function schemaView(schema: Schema, schemas: Schemas, depth = 0): Html | null {
  const { fields, required } = fieldsOf(resolveSchema(schema, schemas), schemas);
  if (fields.length === 0 || depth >= MAX_DEPTH) return null;
  return html`<ul class="fields">${fields.map(
    ([
      name,
      field,
    ]) => html`<li><code>${name}</code> <span class="faint">${describeType(field, schemas)}${required.has(name) ? null : ', optional'}</span>
${descriptionOf(field, schemas)}${schemaView(innerOf(field, schemas), schemas, depth + 1)}</li>
`,
  )}</ul>`;
}

export function describeType(given: Schema, schemas: Schemas): string {
  const schema = resolveSchema(given, schemas);
  const name = schemaNameOf(given);
  if (schema.enum) return listWords(schema.enum);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) return [...new Set(variants.map((variant) => describeType(variant, schemas)))].join(' or ');
  if (schema.items) return `array of ${describeType(schema.items, schemas)}`;
  const types = [schema.type ?? 'object'].flat().filter((type) => type !== 'null');
  const base = name ?? schema.format ?? types.join(' or ');
  return [schema.type ?? ''].flat().includes('null') ? `${base} or null` : base;
}

function listWords(words: readonly unknown[]): string {
  const shown = words.slice(0, MAX_WORDS).map((word) => JSON.stringify(word));
  return words.length > MAX_WORDS ? `${shown.join(', ')} and ${words.length - MAX_WORDS} more` : shown.join(', ');
}

function descriptionOf(given: Schema, schemas: Schemas): Html | null {
  const text = given.description ?? resolveSchema(given, schemas).description ?? '';
  return text === '' ? null : html`<span class="what">${renderInline(text, () => null)}</span>`;
}

/** What to list below a field: the items of an array, the values of a map, the only object among variants. */
function innerOf(given: Schema, schemas: Schemas): Schema {
  const schema = resolveSchema(given, schemas);
  if (schema.items) return innerOf(schema.items, schemas);
  const [pattern] = Object.values(schema.patternProperties ?? {});
  if (pattern) return innerOf(pattern, schemas);
  if (typeof schema.additionalProperties === 'object') return innerOf(schema.additionalProperties, schemas);
  const objects = (schema.anyOf ?? schema.oneOf ?? []).filter(
    (it) => fieldsOf(resolveSchema(it, schemas), schemas).fields.length > 0,
  );
  return objects.length === 1 && objects[0] ? objects[0] : schema;
}

function fieldsOf(schema: Schema, schemas: Schemas): { fields: [string, Schema][]; required: ReadonlySet<string> } {
  const parts = [schema, ...(schema.allOf ?? []).map((part) => resolveSchema(part, schemas))];
  const inner = schema.type === 'array' && schema.items ? [resolveSchema(schema.items, schemas)] : [];
  const all = [...parts, ...inner];
  return {
    fields: all.flatMap((part) => Object.entries(part.properties ?? {})),
    required: new Set(all.flatMap((part) => part.required ?? [])),
  };
}
