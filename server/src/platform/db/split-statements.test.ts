import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadMigrations } from './migrate.ts';
import { splitStatements } from './split-statements.ts';

describe('splitStatements', () => {
  it('splits at semicolons outside of texts, names, bodies and comments', () => {
    const sql = `
      -- first; with a comment's quote
      create table a (b text default 'x;''y');
      comment on table a is 'one; two -- three'; /* ; */
      create function f() returns int language sql as $body$ select 1; select 2 $body$;
      alter table "a;b" add c int default 5 - 3 / 1;;
      select 1`;
    assert.deepEqual(splitStatements(sql), [
      `create table a (b text default 'x;''y')`,
      `comment on table a is 'one; two -- three'`,
      'create function f() returns int language sql as $body$ select 1; select 2 $body$',
      'alter table "a;b" add c int default 5 - 3 / 1',
      'select 1',
    ]);
  });

  it('leaves no statement empty and begins each with its verb, in every migration', () => {
    const all = loadMigrations().flatMap(({ sql }) => splitStatements(sql));
    assert.ok(all.length > 100);
    assert.deepEqual(
      all.filter((one) => !/^(alter|comment|create|delete|drop|insert|update|with|select|do)\s/i.test(one)),
      [],
    );
  });
});
