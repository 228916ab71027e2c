// Common fields of Oura's documents.

import { createDraw } from '../../domain/sandbox/index.ts';
import type { LocalDate } from '../../domain/time/calendar.ts';
import type { AccountView } from '../account-view.ts';
import { nameUuid } from '../names.ts';

export type OuraDocument = { readonly id: string; readonly day: LocalDate } & Readonly<Record<string, unknown>>;

export function documentId({ account }: AccountView, collection: string, name: string): string {
  return nameUuid('oura', account.seed, collection, name);
}

export function userIdOf({ account }: AccountView): string {
  return nameUuid('oura', account.seed, 'user');
}

/** Oura's scores from 1 to 100: near the usual values, and always the same for a document. */
export function drawScores<Name extends string>(
  { account }: AccountView,
  date: LocalDate,
  names: readonly Name[],
): Record<Name, number> {
  const draw = createDraw(account.seed, 'opinions', date);
  return Object.fromEntries(names.map((name) => [name, Math.round(draw.between(62, 99))])) as Record<Name, number>;
}

export function averageScore(scores: Readonly<Record<string, number>>): number {
  const values = Object.values(scores);
  return Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
}
