// Reads what providers answer, field by field: null for what is missing, and a 0 stays a 0. Nonsense is a ProviderAnswerError, or
// inside a record (`RecordCollector.each`) a field that is dropped and counted.
import { ProviderAnswerError } from './provider-answer-error.ts';
import { rejectField } from './unreadable-fields.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown, what = 'the answer'): JsonObject {
  if (isObject(value)) return value;
  throw new ProviderAnswerError(`${what} is no object`);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function readPart(item: JsonObject, name: string): JsonObject | null {
  const value = item[name] ?? null;
  return value === null || isObject(value) ? value : rejectField(name, 'is no object');
}

/** Empty where it is missing. */
export function readList(item: JsonObject, name: string): readonly JsonObject[] {
  const values = readValues(item, name);
  if (values.every(isObject)) return values; // nearly always: there may be thousands
  return values.filter(
    (value) => isObject(value) || rejectField(name, 'has an entry that is no object'),
  ) as JsonObject[];
}

/** Of anything: series have nulls in them. Empty where it is missing. */
export function readValues(item: JsonObject, name: string): readonly unknown[] {
  const value = item[name] ?? [];
  return Array.isArray(value) ? value : (rejectField(name, 'is no list') ?? []);
}

export function readNumber(item: JsonObject, name: string): number | null {
  return asNumber(item[name] ?? null, name);
}

export function asNumber(value: unknown, what: string): number | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'number' && Number.isFinite(value) ? value : rejectField(what, 'is no number');
}

export function readText(item: JsonObject, name: string): string | null {
  const value = item[name] ?? null;
  return value === null || typeof value === 'string' ? value : rejectField(name, 'is no text');
}

export function readFlag(item: JsonObject, name: string): boolean | null {
  const value = item[name] ?? null;
  return value === null || typeof value === 'boolean' ? value : rejectField(name, 'is neither true nor false');
}

/** Texts and whole numbers alike; a number that JSON has already rounded is nobody's id. */
export function readId(item: JsonObject, name: string): string | null {
  const value = item[name] ?? null;
  if (value === null) return null;
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  return rejectField(name, 'is no id');
}

/** What nothing can be told without. */
export function required<Value>(value: Value | null, name: string): Value {
  if (value === null) throw new ProviderAnswerError(`${name} is missing`);
  return value;
}
