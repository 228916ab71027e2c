// A list of column names for SQL.
import pg from 'pg';

export function quoteNames(names: readonly string[]): string {
  return names.map((name) => pg.escapeIdentifier(name)).join(', ');
}
