// Reads a JSON file of an account export: a list of records, of which one that cannot be read does not stop the others.
import { findJsonFault } from '../bundle/find-json-fault.ts';
import { importError } from '../import-error.ts';

export type JsonRecord = Readonly<Record<string, unknown>>;

/** The largest are a month of minutes, with a few MB. */
export const MAX_JSON_BYTES = 64 * 1_048_576;

export function parseRecords(bytes: Buffer, name: string): JsonRecord[] {
  const text = bytes.toString('utf8');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    const before = text.slice(0, findJsonFault(text) - 1).split('\n');
    const position = `${name}, line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw importError('invalid JSON. Download the export again.', position);
  }
  return (Array.isArray(content) ? content : [content]).filter(isRecord);
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function divide(value: number | null, by: number): number | null {
  return value === null ? null : value / by;
}
