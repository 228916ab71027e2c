// Wahoo writes most numbers as strings ("24909.71"), and some as numbers, depending on the endpoint.
import type { JsonObject } from '../read-json.ts';
import { rejectField } from '../unreadable-fields.ts';

export function readDecimal(item: JsonObject, name: string): number | null {
  const value = item[name] ?? null;
  if (value === null || value === '') return null;
  return toNumber(value) ?? rejectField(name, 'is not a number');
}

/** Null: not a number. */
export function toNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
