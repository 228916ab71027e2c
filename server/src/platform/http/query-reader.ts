// The query of a request: parsed from its text, checked by the schema of the form that answers, and prepared by its dialect. A
// route that prepares queries keeps the result by query text: a client asks the same of every person.
import { parse } from 'node:querystring';
import { AppError } from '../errors.ts';
import type { Dialect, Route } from './route.ts';
import { checkInput, readQuery } from './validate.ts';

const MAX_KEPT = 500;
const MAX_KEPT_LENGTH = 2_048; // what is longer is rare, and would fill the memory
const ALL_PARAMETERS = { maxKeys: 0 };

type AnyDialect = Dialect<unknown, unknown>;

/** May be shared by all requests with that text, so nobody may change it. */
export class ParsedQuery {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly #prepared = new Map<AnyDialect, unknown>();

  constructor(text: string) {
    this.fields = parse(text, '&', '=', ALL_PARAMETERS);
  }

  /** Throws what is wrong with it by this dialect. */
  prepareFor(dialect: AnyDialect): unknown {
    return this.#prepared.getOrInsertComputed(dialect, () => prepare(dialect, this.fields));
  }
}

export function createQueryReader({ dialects }: Pick<Route, 'dialects'>): (text: string) => ParsedQuery {
  const ofForms: readonly AnyDialect[] = 'both' in dialects ? [dialects.both] : [dialects[1], dialects[2]];
  const isKept = ofForms.some(({ prepareQuery }) => prepareQuery !== null);
  const kept = new Map<string, ParsedQuery>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const query = new ParsedQuery(text);
    if (isKept && text.length <= MAX_KEPT_LENGTH) {
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(text, query);
    }
    return query;
  };
}

function prepare({ query: schema, prepareQuery }: AnyDialect, fields: ParsedQuery['fields']): unknown {
  if (schema === null) {
    const names = Object.keys(fields);
    if (names.length === 0) return {};
    throw new AppError('invalid_parameter', {
      details: { issues: names.map((path) => ({ path, message: 'unknown parameter' })) },
    });
  }
  const values = readQuery(schema, fields);
  checkInput(schema, values, 'invalid_parameter');
  return prepareQuery === null ? values : prepareQuery(values);
}
