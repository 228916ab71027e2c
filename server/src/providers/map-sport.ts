// Maps a provider's word for a sport to ours. Our own words and those of platforms need no entry in its table.
import { matchSport } from '../domain/workouts/sports.ts';

type SportTable = ReadonlyMap<string, string>;

/** By our sport, the provider's words for it, separated by spaces. */
export function sportTable(words: Readonly<Record<string, string>>): SportTable {
  return new Map(
    Object.entries(words).flatMap(([sport, names]) => names.split(/\s+/).map((name) => [name, sport] as const)),
  );
}

export function mapSport(table: SportTable, word: string | null): string {
  return findMapped(table, word) ?? 'other';
}

/** The name of a workout: the user's or provider's name, otherwise the provider's word for an unknown sport. */
export function nameWorkout(table: SportTable, word: string | null, given: string | null): string | null {
  return given ?? (findMapped(table, word) === null ? word : null);
}

export function knowsSport(table: SportTable, word: string | null): boolean {
  return findMapped(table, word) !== null;
}

function findMapped(table: SportTable, word: string | null): string | null {
  return word === null ? null : (table.get(word) ?? matchSport(word)?.type ?? null);
}
