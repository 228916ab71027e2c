// Query texts that come again and again are taken apart and checked once: a client asks the same of every person.
import { parse } from 'node:querystring';

/** What a text says. Shared by all requests with that text, so nobody may change it. */
export type Query = Readonly<Record<string, unknown>>;

const MAX_KNOWN = 500;
const MAX_TEXT_LENGTH = 2_048; // what is longer is rare, and would fill the memory
const ALL_PARAMETERS = { maxKeys: 0 };
const NOTHING: Query = Object.freeze(Object.create(null));

/** Of the queries that are kept: what was made of each, by whom. */
const readings = new WeakMap<Query, Map<object, unknown>>([[NOTHING, new Map()]]);

export function createQueryParser(): (text: string) => Query {
  const known = new Map<string, Query>();
  return (text) => {
    if (text === '') return NOTHING;
    const query = known.get(text);
    if (query !== undefined) return query;
    const parsed = parse(text, '&', '=', ALL_PARAMETERS) as Query;
    if (text.length <= MAX_TEXT_LENGTH) {
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(text, Object.freeze(parsed));
      readings.set(parsed, new Map());
    }
    return parsed;
  };
}

/** What `read` makes of a query by a schema or a route; what it throws is not kept. Of queries of one request alone nothing is kept. */
export function readOnce<Reading>(query: Query, by: object, read: () => Reading): Reading {
  const ofQuery = readings.get(query);
  if (ofQuery === undefined) return read();
  const kept = ofQuery.get(by);
  if (kept !== undefined) return kept as Reading;
  const reading = read();
  ofQuery.set(by, reading);
  return reading;
}
