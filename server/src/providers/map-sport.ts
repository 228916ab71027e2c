// A provider's word for a sport as ours. Words that are the same but for their case need no line in its table.
import { findSport } from '../domain/sports.ts';

export type SportTable = ReadonlyMap<string, string>;

/** By our sport, the provider's words for it with a space between them. */
export function sportTable(words: Readonly<Record<string, string>>): SportTable {
  return new Map(
    Object.entries(words).flatMap(([sport, names]) => names.split(/\s+/).map((name) => [name, sport] as const)),
  );
}

export function mapSport(table: SportTable, name: string | null): string {
  if (name === null) return 'other';
  return table.get(name) ?? findSport(name.toLowerCase())?.type ?? 'other';
}
