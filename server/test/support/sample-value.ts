// The smallest value that fits a request schema, so that a test can call any route of the table, future ones included.
import { randomUUID } from 'node:crypto';
import type { JsonSchema } from '../fuzz/json-schema.ts';

/** `known` values are used by field name at any depth. */
export function sampleValue(schema: object, known: Readonly<Record<string, unknown>> = {}): unknown {
  const { type, ...rules } = schema as JsonSchema;
  if (rules.const !== undefined) return rules.const;
  if (rules.enum) return rules.enum[0];
  switch (typeof type === 'object' ? type[0] : type) {
    case 'string':
      return sampleText(rules.format);
    case 'integer':
    case 'number':
      return rules.minimum ?? 1;
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: rules.minItems ?? 0 }, () => sampleValue(rules.items ?? {}, known));
    case 'object':
      return sampleObject(rules, known);
    default:
      return null;
  }
}

function sampleObject(rules: JsonSchema, known: Readonly<Record<string, unknown>>): object {
  const properties = Object.entries(rules.properties ?? {});
  const required = properties.filter(([name]) => rules.required?.includes(name));
  const selected = required.length >= (rules.minProperties ?? 0) ? required : properties.slice(0, rules.minProperties);
  return Object.fromEntries(selected.map(([name, schema]) => [name, known[name] ?? sampleValue(schema, known)]));
}

function sampleText(format: string | undefined): string {
  if (format === 'date') return '2026-01-31';
  if (format === 'date-time') return '2026-01-31T07:05:09Z';
  if (format === 'uri') return 'https://hooks.example/in';
  return randomUUID();
}
