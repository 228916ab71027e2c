import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { it } from 'node:test';
import { listStatementNames } from '../tools/statement-names.ts';

const SOURCE = path.resolve(import.meta.dirname, '../src');
const SQL = /`[^`]*`|'select [^'\n]*'/g;
/** `position::float8 as position … order by position`, with a limit. */
const SORTED_RESULT = /\b(\w+)::\w+ as \1\b.*?\border by \1\b.*?\blimit\b/s;

/** At the start of a statement, of a table: `select * from users`, `select s.*, u.name from sessions s`. */
const ALL_COLUMNS = /^.\s*select (?:\w+\.)?\*[^(]* from \w/s;
/** Reads files of phones with SQLite. */
const OTHER_DATABASE = path.join('health-connect', 'read-health-connect.ts');

const files = globSync('**/*.ts', { cwd: SOURCE }).map((file) => ({
  file,
  text: readFileSync(path.join(SOURCE, file), 'utf8'),
}));

// PostgreSQL refuses a prepared statement whose name another text already has on the same connection.
it('every prepared statement has a name of its own', () => {
  const names = listStatementNames(SOURCE);
  assert.ok(names.length > 20);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});

// ORDER BY prefers a result column of that name to the column of the table. It has another type, so every row is read and sorted.
it('no statement with a limit sorts by a result column that hides the column of an index', () => {
  assert.match('`select position::float8 as position from feed_events order by position limit $1`', SORTED_RESULT);
  assert.doesNotMatch('`select a::text as a from t order by t.a limit $1`', SORTED_RESULT);
  const found = files.flatMap(({ file, text }) =>
    [...text.matchAll(SQL)].filter(([sql]) => SORTED_RESULT.test(sql)).map(([sql]) => `${file}: ${sql}`),
  );
  assert.deepEqual(found, []);
});

// PostgreSQL refuses a prepared statement whose columns have changed, in a process of this version beside one that has migrated.
it('no statement returns all columns of a table', () => {
  assert.match('`select s.*, u.name from sessions s`', ALL_COLUMNS);
  assert.doesNotMatch('`select d.* from (select id from webhooks) d`', ALL_COLUMNS);
  const found = files
    .filter(({ file }) => !file.endsWith('.test.ts') && !file.endsWith(OTHER_DATABASE))
    .flatMap(({ file, text }) =>
      [...text.matchAll(SQL)].filter(([sql]) => ALL_COLUMNS.test(sql)).map(([sql]) => `${file}: ${sql}`),
    );
  assert.deepEqual(found, []);
});

const LIMITED_LOCK = /\blimit [^()\s]+ for (?:no key )?update\b/g;

/** The text before the parenthesis that is open at this position. */
function beforeParenthesis(sql: string, position: number): string | null {
  let depth = 0;
  for (let at = position; at >= 0; at -= 1) {
    if (sql[at] === ')') depth += 1;
    if (sql[at] === '(' && depth-- === 0) return sql.slice(0, at);
  }
  return null;
}

function repeatsLimitedLock(sql: string): boolean {
  return [...sql.matchAll(LIMITED_LOCK)].some(({ index }) => {
    const before = beforeParenthesis(sql, index);
    return before !== null && !/\b(?:as materialized|lateral) $/.test(before);
  });
}

// PostgreSQL may execute a subquery once per row of the other table. Each time it skips the rows that the statement has changed so far,
// and returns as many others: a claim of one row takes all.
it('no statement locks a limited number of rows in a subquery that may be repeated', () => {
  const select = 'select id from jobs where (a or b) order by due_at limit $1 for update skip locked';
  assert.ok(repeatsLimitedLock(`update jobs set claim = $2 where id in (${select})`));
  assert.ok(!repeatsLimitedLock(`with due as materialized (${select}) update jobs j set claim = $2 from due`));
  assert.ok(!repeatsLimitedLock(select));
  const found = files.flatMap(({ file, text }) =>
    [...text.matchAll(SQL)].filter(([sql]) => repeatsLimitedLock(sql)).map(([sql]) => `${file}: ${sql}`),
  );
  assert.deepEqual(found, []);
});
