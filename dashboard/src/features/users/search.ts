// What the address of the page says. Pure.

export const FILTERS = ['attention', 'no_data', 'overrides'] as const;
export type Filter = (typeof FILTERS)[number];

export type UsersSearch = { readonly q?: string; readonly filter?: Filter };

export function readSearch({ q, filter }: Record<string, unknown>): UsersSearch {
  const known = FILTERS.find((one) => one === filter);
  const text = typeof q === 'number' ? String(q) : q; // the router reads 42 in an address as a number
  return { ...(typeof text === 'string' && text !== '' && { q: text }), ...(known && { filter: known }) };
}
