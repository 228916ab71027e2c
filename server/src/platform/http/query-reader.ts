// Parses the query string of a request, validates it against the schema of the request's form, and prepares it. A route that
// prepares queries caches the result by query text, because clients send the same query for every user.

import { parse } from 'node:querystring';
import { createBoundedMap } from '../../domain/bounded-map.ts';
import { AppError } from '../errors.ts';
import type { Dialect, Route } from './route.ts';
import { checkInput, fillDefaults, readQuery } from './validate.ts';

const MAX_KEPT = 500;
const MAX_KEPT_LENGTH = 2_048; // longer queries are rare and would fill the cache
const ALL_PARAMETERS = { maxKeys: 0 };

type AnyDialect = Dialect<unknown, unknown>;

/** Shared by all requests with the same query text, so it must not be changed. */
export class ParsedQuery {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly #prepared = new Map<AnyDialect, unknown>();

  constructor(text: string) {
    this.fields = parse(text, '&', '=', ALL_PARAMETERS);
  }

  /** Throws invalid_parameter if the query does not match the dialect's schema. */
  prepareFor(dialect: AnyDialect): unknown {
    return this.#prepared.getOrInsertComputed(dialect, () => prepare(dialect, this.fields));
  }
}

export function createQueryReader({ dialects }: Pick<Route, 'dialects'>): (text: string) => ParsedQuery {
  const ofForms: readonly AnyDialect[] = 'both' in dialects ? [dialects.both] : [dialects[1], dialects[2]];
  const isKept = ofForms.some(({ prepareQuery }) => prepareQuery !== null);
  const kept = createBoundedMap<string, ParsedQuery>(MAX_KEPT);
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const query = new ParsedQuery(text);
    if (isKept && text.length <= MAX_KEPT_LENGTH) kept.set(text, query);
    return query;
  };
}

function prepare(dialect: AnyDialect, fields: ParsedQuery['fields']): unknown {
  const { query: schema } = dialect;
  if (schema === null) {
    const names = Object.keys(fields);
    if (names.length === 0) return {};
    throw new AppError('invalid_parameter', {
      details: { issues: names.map((path) => ({ path, message: 'unknown parameter' })) },
    });
  }
  const given = readQuery(schema, fields);
  checkInput(schema, given, 'invalid_parameter');
  return completeQuery(dialect, given);
}

/** What `parse` gets of a query that matches the schema. */
export function completeQuery({ query: schema, prepareQuery }: AnyDialect, given: object): unknown {
  const query = schema === null ? given : fillDefaults(schema, given);
  return prepareQuery === null ? query : prepareQuery(query);
}
