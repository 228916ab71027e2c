import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findUnnamedUsers, findUnplaced } from './check-distributed.ts';
import { scanSource } from './scan-source.ts';

const TABLES = ['workouts', 'uploads', 'raw_payloads'];

function problemsOf(code: string, path = 'src/features/store/session-store/store.ts'): string[] {
  const source = { path, isTest: false, tokens: scanSource(code).tokens };
  return findUnnamedUsers([source], TABLES).map(({ line, message }) => `${line}: ${message.split(' ')[3]}`);
}

describe('findUnplaced', () => {
  const schema = [
    'create table workouts (\n  user_id uuid not null,\n  id uuid not null\n);',
    'create unlogged table usage (\n  day date not null,\n  user_id uuid\n) with (fillfactor = 50);',
    'create table accounts (\n  id uuid not null  -- no user_id\n);',
  ].join('\n\n');
  const namesOf = (distributed: string[], shared: string[], exceptions: string[]) =>
    findUnplaced(schema, { distributed, shared }, exceptions).map(({ message }) => message.split(' ').slice(0, 2));

  it('reports a table with a user_id that is in no list', () => {
    assert.deepEqual(namesOf(['workouts'], [], []), [['usage', 'has']]);
    assert.deepEqual(namesOf(['workouts'], ['usage'], []), []);
    assert.deepEqual(namesOf(['workouts'], [], ['usage']), []);
  });

  it('reports a listed table that has no user_id or does not exist', () => {
    assert.deepEqual(namesOf(['workouts', 'accounts'], [], ['usage', 'gone']), [
      ['accounts', 'is'],
      ['gone', 'is'],
    ]);
  });
});

describe('findUnnamedUsers', () => {
  it('accepts statements that name the user', () => {
    for (const sql of [
      'select * from workouts where user_id = $1',
      'select * from workouts w where w.start_at > $2 and w.user_id = any($3::uuid[])',
      'insert into workouts (user_id, id) values ($1, $2)',
      'delete from workouts where user_id = $1',
      'select * from workouts w where user_id = $1 union select * from uploads u where user_id = $1',
      'select * from devices',
    ])
      assert.deepEqual(problemsOf(`const s = '${sql}';`), [], sql);
  });

  it('reports each mention without the user', () => {
    assert.deepEqual(problemsOf("const s = 'select * from workouts where id = $1';"), ['1: workouts']);
    assert.deepEqual(
      problemsOf(
        "const s = 'select * from workouts where user_id = $1 union all select * from uploads where id = $2';",
      ),
      ['1: uploads'],
    );
    assert.deepEqual(problemsOf("const s = 'select 1 from users u join workouts w on w.date = $1';"), ['1: workouts']);
  });

  it('checks what follows an inserted table', () => {
    const of = (rest: string) => `const s = (table: string) => \`select * from \${table} ${rest}\`;`;
    assert.deepEqual(problemsOf(of('s where s.user_id = $1')), []);
    assert.deepEqual(problemsOf(of('s where s.id = $1')).length, 1);
  });

  it('accepts the listed statements of all users', () => {
    assert.deepEqual(problemsOf("const s = 'delete from uploads where received_at < $1';"), []);
  });
});
