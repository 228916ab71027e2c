// Each way to name a table of another feature is reported, and what only looks like one is not.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkOwnerList, findForeignTables } from './check-table-owners.ts';
import { scanSource } from './scan-source.ts';

const RULES = {
  owners: { 'features/tenancy/user-core/': ['users'], 'features/store/devices/': ['devices', 'scores'] },
  computed: { 'features/people/export/store.ts': 'reads every table' },
  views: ['active_users'],
};
const STORE = 'src/features/store/devices/store.ts';

const BAD: Record<string, string> = {
  select: "db.query('select id from users')",
  'a join': "db.query('select 1 from devices d join users u on u.id = d.user_id')",
  'a join in a template': `db.query(\`select \${columns} from devices d left join users u on true\`)`,
  'a list of tables': "db.query('select 1 from devices d, users u where u.id = d.user_id')",
  'a subquery': "db.query('delete from devices where exists (select from users)')",
  insert: "db.query('insert into users (id) values ($1)')",
  update: "db.query('update only users set id = $1')",
  using: "db.query('delete from devices d using users u')",
  truncate: "db.query('truncate table users')",
  'capital letters': "db.query('SELECT 1 FROM Users')",
  'quoted names': `db.query('select 1 from "users"')`,
  'a name with its schema': "db.query('select 1 from public.users')",
  'a name for a computed statement': "for (const table of ['devices', 'users']) remove(table)",
};

const GOOD: Record<string, string> = {
  'a table of its own': "db.query('select id from devices')",
  'a view': "db.query('select 1 from devices d join active_users u on u.id = d.user_id')",
  'a column with the name of a table': "db.query('select id, users from devices')",
  'a function with the name of a table': "db.query('select 1 from users($1)')",
  'a comment': '// from users\nexport const x = 1;',
};

describe('table owners', () => {
  for (const [title, source] of Object.entries(BAD))
    it(`report ${title}`, () => {
      const [problem, ...others] = check(STORE, source);
      assert.match(problem?.message ?? '', /^users belongs to features\/tenancy\/user-core\//);
      assert.deepEqual(others, []);
    });

  for (const [title, source] of Object.entries(GOOD))
    it(`accept ${title}`, () => {
      assert.deepEqual(check(STORE, source), []);
    });

  it('report the line within a statement', () => {
    assert.equal(check(STORE, '\ndb.query(`select 1\n  from devices d\n  join users u on true`)')[0]?.line, 4);
  });

  it('report SQL in a file that is no store, but not prose', () => {
    const file = 'src/features/store/devices/describe.ts';
    assert.equal(check(file, "export const JOIN = 'join users u on u.id = d.user_id';").length, 1);
    assert.deepEqual(check(file, "export const help = 'Values from users and from devices.';"), []);
  });

  it('report SQL outside of the features', () => {
    assert.equal(check('src/platform/http/a.ts', "db.query('select 1 from users')").length, 1);
  });

  it('report a write through a view, also by the owner of its table', () => {
    const file = 'src/features/tenancy/user-core/store.ts';
    assert.match(check(file, "db.query('delete from active_users')")[0]?.message ?? '', /^active_users is a view/);
  });

  it('report a computed table name, except in a file that is listed with a reason', () => {
    const source = `db.query(\`select 1 from \${table} where id = $1\`)`;
    assert.match(check(STORE, source)[0]?.message ?? '', /computed table name/);
    assert.deepEqual(check('src/features/people/export/store.ts', source), []);
  });

  it('ignore tests', () => {
    const { tokens } = scanSource("db.query('select 1 from users')");
    const path = 'src/features/store/devices/store.db.test.ts';
    assert.deepEqual(findForeignTables([{ path, isTest: true, tokens }], RULES), []);
  });

  it('compare the list of owners with the schema', () => {
    assert.deepEqual(checkOwnerList(['users', 'devices', 'scores'], RULES.owners), []);
    const messages = checkOwnerList(['users', 'devices', 'plans'], { ...RULES.owners, 'features/a/': ['users'] });
    assert.deepEqual(
      messages.map(({ message }) => message),
      [
        'plans has no owner; add it to table-owners.ts',
        'scores is in table-owners.ts, but not in the schema',
        'users has two owners in table-owners.ts',
      ],
    );
    assert.match(checkOwnerList([], {})[0]?.message ?? '', /has no table/);
  });
});

function check(path: string, source: string) {
  return findForeignTables([{ path, isTest: false, tokens: scanSource(source).tokens }], RULES);
}
