// Reads provider responses field by field: null for a missing value, and a 0 stays a 0. An invalid field throws
// ProviderAnswerError, or is dropped and counted inside a record (`RecordCollector.each`).
import { ProviderAnswerError } from './provider-answer-error.ts';
import { rejectField } from './unreadable-fields.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown, what = 'the answer'): JsonObject {
  if (isObject(value)) return value;
  throw new ProviderAnswerError(`${what} is not an object`);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readPart(item: JsonObject, name: string): JsonObject | null {
  const value = item[name] ?? null;
  return value === null || isObject(value) ? value : rejectField(name, 'is not an object');
}

/** Empty if it is missing. */
export function readList(item: JsonObject, name: string): readonly JsonObject[] {
  const values = readValues(item, name);
  if (values.every(isObject)) return values; // the usual case: there may be thousands
  return values.filter(
    (value) => isObject(value) || rejectField(name, 'has an entry that is not an object'),
  ) as JsonObject[];
}

/** Of any values: series contain nulls. Empty if it is missing. */
export function readValues(item: JsonObject, name: string): readonly unknown[] {
  const value = item[name] ?? [];
  return Array.isArray(value) ? value : (rejectField(name, 'is not a list') ?? []);
}

export function readNumber(item: JsonObject, name: string): number | null {
  return asNumber(item[name] ?? null, name);
}

export function asNumber(value: unknown, what: string): number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' && Number.isFinite(value) ? value : rejectField(what, 'is not a number');
}

export function readText(item: JsonObject, name: string): string | null {
  const value = item[name] ?? null;
  return value === null || typeof value === 'string' ? value : rejectField(name, 'is not a string');
}

export function readFlag(item: JsonObject, name: string): boolean | null {
  const value = item[name] ?? null;
  return value === null || typeof value === 'boolean' ? value : rejectField(name, 'is not a boolean');
}

/** Strings and integers; a number that JSON parsing has rounded is not an id. */
export function readId(item: JsonObject, name: string): string | null {
  const value = item[name] ?? null;
  if (value === null) return null;
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return rejectField(name, 'is not an id');
}

/** For fields that are required. */
export function required<Value>(value: Value | null, name: string): Value {
  if (value === null) throw new ProviderAnswerError(`${name} is missing`);
  return value;
}
