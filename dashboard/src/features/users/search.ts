// What the address of the page says. Pure.
import { readTexts } from '../../shared/routing/read-texts.ts';

export const FILTERS = ['attention', 'no_data', 'overrides'] as const;
export type Filter = (typeof FILTERS)[number];

export type UsersSearch = { readonly q?: string; readonly filter?: Filter };

export function readSearch(search: Record<string, unknown>): UsersSearch {
  const filter = FILTERS.find((one) => one === search.filter);
  return { ...readTexts(search, ['q']), ...(filter && { filter }) };
}
