import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRead } from './is-read.ts';

describe('isRead', () => {
  it('recognizes reads', () => {
    for (const text of [
      'select 1',
      '\n  with a as (select 1) select * from a',
      'show statement_timeout',
      '-- why\nselect last_update, updated_at from devices',
      'select count(*) from graphile_worker.jobs',
    ])
      assert.equal(isRead(text), true, text);
  });

  it('takes everything else for a write', () => {
    for (const text of [
      'insert into users (id) values ($1)',
      'update users set name = $1',
      'delete from users',
      'with gone as (delete from users returning id) select count(*) from gone',
      'with u as (update users u set name = $1 returning id) select * from u',
      'with i as (insert into a select 1 returning id) select * from i',
      'select 1 from users where id = $1 for update',
      'select id from queue for no key update skip locked',
      `select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs`,
      'select pg_advisory_xact_lock($1)',
      `select nextval('positions')`,
      'begin',
      'vacuum',
      'create table a (id int)',
    ])
      assert.equal(isRead(text), false, text);
  });
});
