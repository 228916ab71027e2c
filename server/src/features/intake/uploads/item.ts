// Reads the fields of one item by hand. The first fault is stored in the item and nothing is thrown, so that an invalid item
// does not affect others. A null in an optional field counts as absent, because phones' serializers write absent fields so.
import { EARLIEST_MS, findTextProblem, MAX_AHEAD_MS } from '../../../domain/metrics/record-limits.ts';
import { isWithin, type Limit } from '../../../domain/records/check-numbers.ts';
import { findTimeProblem, type TimeProblem } from '../../../domain/records/check-times.ts';
import type { EpochMs } from '../../../domain/records/records.ts';
import { HOUR_MS } from '../../../domain/time/durations.ts';
import { parseInstant } from '../../../domain/time/parse-instant.ts';
import { cleanName, type ItemFault, quote, type RejectCode } from './reject.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type Item = { readonly fields: Fields; fault: ItemFault | null };

export const BAD_TIMESTAMP = 'must be a time such as 2026-01-31T07:05:09+01:00, with Z or an offset';

/** Code and message. */
export const TIME_FAULTS: Readonly<Record<TimeProblem, readonly [RejectCode, string]>> = {
  invalid: ['invalid_timestamp', BAD_TIMESTAMP],
  in_future: ['in_future', `must not be more than ${MAX_AHEAD_MS / HOUR_MS} hours in the future`],
  too_early: ['out_of_range', `must not be before ${new Date(EARLIEST_MS).getUTCFullYear()}`],
};

const NO_FIELDS: Fields = {};

export function openItem(value: unknown, known: ReadonlySet<string>): Item {
  if (!isFields(value)) {
    return { fields: NO_FIELDS, fault: { field: '', error: 'invalid_type', message: 'must be an object' } };
  }
  const unknown = findUnknownField(value, known);
  if (unknown === null) return { fields: value, fault: null };
  return { fields: value, fault: { field: cleanName(unknown), error: 'unknown_field', message: 'unknown field' } };
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function findUnknownField(fields: Fields, known: ReadonlySet<string>): string | null {
  for (const name in fields) if (!known.has(name)) return name;
  return null;
}

/** Only the first fault is kept. */
export function fail(item: Item, field: string, error: RejectCode, message: string): null {
  item.fault ??= { field, error, message };
  return null;
}

/** Returns the value, or sets a fault if it is null. */
export function required<Value>(item: Item, field: string, value: Value | null): Value | null {
  return value ?? fail(item, field, 'missing_field', 'is required');
}

export function readText(item: Item, field: string, maxLength: number): string | null {
  const value = item.fields[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string') return fail(item, field, 'invalid_type', 'must be a string');
  const problem = findTextProblem(value, maxLength);
  return problem === null ? value : fail(item, field, 'invalid_text', problem);
}

export function readChoice<Word extends string>(item: Item, field: string, words: readonly Word[]): Word | null {
  const value = item.fields[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string') return fail(item, field, 'invalid_type', 'must be a string');
  const word = words.find((candidate) => candidate === value);
  return word ?? fail(item, field, 'invalid_choice', `must be one of ${words.join(', ')}, not ${quote(value)}`);
}

export function readNumber(item: Item, field: string, limit: Limit): number | null {
  const value = item.fields[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'number') return fail(item, field, 'invalid_type', 'must be a number');
  return isWithin(value, limit) ? value : fail(item, field, 'out_of_range', describeLimit(limit));
}

export function describeLimit({ min, max, unit }: Limit): string {
  return `must be between ${formatBound(min)} and ${formatBound(max)} ${unit}`;
}

/** Rounds limits that were converted to a device's unit. */
function formatBound(value: number): string {
  return String(Number(value.toPrecision(8)));
}

/** Times after `latestMs` are rejected. */
export function readTime(item: Item, field: string, latestMs: number): EpochMs | null {
  const value = item.fields[field] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string') return fail(item, field, 'invalid_type', 'must be a string');
  const time = parseInstant(value);
  const problem = findTimeProblem(time, latestMs);
  return problem === null ? (time as EpochMs) : fail(item, field, ...TIME_FAULTS[problem]);
}

export function readList(item: Item, field: string, maxLength: number): readonly unknown[] | null {
  const value = item.fields[field] ?? null;
  if (value === null) return null;
  if (!Array.isArray(value)) return fail(item, field, 'invalid_type', 'must be an array');
  return value.length <= maxLength ? value : fail(item, field, 'too_many', `must have at most ${maxLength} entries`);
}

/** Opens an object inside an item; copy its fault to the item with `adopt`. */
export function readPart(item: Item, field: string, known: ReadonlySet<string>): Item | null {
  const value = item.fields[field] ?? null;
  return value === null ? null : openItem(value, known);
}

/** Copies the fault of a part to its item. */
export function adopt(item: Item, path: string, part: Item): void {
  if (part.fault === null) return;
  const { field, error, message } = part.fault;
  fail(item, field === '' ? path : `${path}.${field}`, error, message);
}
