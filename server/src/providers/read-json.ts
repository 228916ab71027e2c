// Reads what providers answer, field by field: null for what is missing, ProviderAnswerError for nonsense, and a 0 stays a 0.
import { ProviderAnswerError } from './contract.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

export function asObject(value: unknown, what = 'the answer'): JsonObject {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new ProviderAnswerError(`${what} is no object`);
}

export function readPart(item: JsonObject, name: string): JsonObject | null {
  const value = item[name] ?? null;
  return value === null ? null : asObject(value, name);
}

/** Empty where it is missing. */
export function readList(item: JsonObject, name: string): readonly JsonObject[] {
  const what = `an entry of ${name}`; // once: there may be thousands
  return readValues(item, name).map((value) => asObject(value, what));
}

/** Of anything: series have nulls in them. Empty where it is missing. */
export function readValues(item: JsonObject, name: string): readonly unknown[] {
  const value = item[name] ?? [];
  if (!Array.isArray(value)) throw new ProviderAnswerError(`${name} is no list`);
  return value;
}

export function readNumber(item: JsonObject, name: string): number | null {
  return asNumber(item[name] ?? null, name);
}

export function asNumber(value: unknown, what: string): number | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ProviderAnswerError(`${what} is no number`);
  return value;
}

export function readText(item: JsonObject, name: string): string | null {
  const value = item[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string') throw new ProviderAnswerError(`${name} is no text`);
  return value;
}

export function readFlag(item: JsonObject, name: string): boolean | null {
  const value = item[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'boolean') throw new ProviderAnswerError(`${name} is neither true nor false`);
  return value;
}

/** Texts and whole numbers alike; a number that JSON has already rounded is nobody's id. */
export function readId(item: JsonObject, name: string): string | null {
  const value = item[name] ?? null;
  if (value === null) return null;
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value);
  throw new ProviderAnswerError(`${name} is no id`);
}

/** What nothing can be told without. */
export function required<Value>(value: Value | null, name: string): Value {
  if (value === null) throw new ProviderAnswerError(`${name} is missing`);
  return value;
}
