// Migrating: a race, a changed file, a newer database, a failure half-way.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { connectToDatabase, createEmptyDatabase } from '../../../test/support/test-database.ts';
import type { Database } from './database.ts';
import { describeSchema } from './describe-schema.ts';
import { loadMigrations, type Migration, MigrationError, migrate, readSchemaVersion } from './migrate.ts';

async function openEmpty(t: TestContext): Promise<{ db: Database; connect: () => Database }> {
  const database = await createEmptyDatabase();
  const open: Database[] = [];
  const connect = () => {
    const db = connectToDatabase(database.url, 2);
    open.push(db);
    return db;
  };
  t.after(async () => {
    await Promise.all(open.map((db) => db.close()));
    await database.drop();
  });
  return { db: connect(), connect };
}

function makeMigration(version: number, sql: string): Migration {
  return { version, name: `000${version}_made_up.sql`, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

describe('migrate', () => {
  it('five at once on an empty database: one migrates, the others wait and find it done', async (t) => {
    const { db, connect } = await openEmpty(t);
    const migrations = loadMigrations();
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(connect(), migrations)));
    assert.deepEqual(applied.map((list) => list.length).sort(), [0, 0, 0, 0, migrations.length]);
    assert.equal(await readSchemaVersion(db), migrations.length);
  });

  it('a second run applies nothing, a longer list only the rest', async (t) => {
    const { db } = await openEmpty(t);
    const [one, two] = [
      makeMigration(1, 'create table a (x int)'),
      makeMigration(2, 'create table b (x int); insert into b values (1)'),
    ];
    assert.deepEqual(await migrate(db, [one]), [one]);
    assert.deepEqual(await migrate(db, [one]), []);
    assert.deepEqual(await migrate(db, [one, two]), [two]);
    assert.equal((await db.query('select * from b')).length, 1);
  });

  it('rejects a file that was changed after it was applied, and says what to do', async (t) => {
    const { db } = await openEmpty(t);
    await migrate(db, [makeMigration(1, 'create table a (x int)')]);
    await assert.rejects(
      migrate(db, [makeMigration(1, 'create table a (x bigint)'), makeMigration(2, 'create table b (x int)')]),
      (error) =>
        error instanceof MigrationError &&
        /0001_made_up\.sql differs .* Nothing was changed\. Start the previous version, .* restore it/.test(
          error.message,
        ),
    );
    assert.equal((await db.query(`select to_regclass('b') as b`))[0]?.b, null);
  });

  it('rejects a database of a newer version', async (t) => {
    const { db } = await openEmpty(t);
    const [one, two] = [makeMigration(1, 'select 1'), makeMigration(2, 'select 2')];
    await migrate(db, [one, two]);
    await assert.rejects(migrate(db, [one]), /is at migration 2 .* has only 1/);
  });

  it('leaves the schema unchanged if one of several fails, and names it', async (t) => {
    const { db } = await openEmpty(t);
    const list = [makeMigration(1, 'create table a (x int)'), makeMigration(2, 'create table a (x int)')];
    await assert.rejects(migrate(db, list), /Migration 0002_made_up\.sql failed: relation "a" already exists/);
    assert.equal((await db.query(`select to_regclass('a') as a`))[0]?.a, null);
    assert.equal((await migrate(db, list.slice(0, 1))).length, 1);
  });
});

describe('loadMigrations', () => {
  it('reads numbered files in order and rejects gaps', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tributary-migrations-'));
    t.after(() => rmSync(folder, { recursive: true }));
    for (const name of ['0002_second.sql', '0001_first.sql', 'schema.sql', 'README.md', '0003_Upper.sql'])
      writeFileSync(join(folder, name), name);
    assert.deepEqual(
      loadMigrations(folder).map(({ name, sql }) => [name, sql]),
      [
        ['0001_first.sql', '0001_first.sql'],
        ['0002_second.sql', '0002_second.sql'],
      ],
    );
    writeFileSync(join(folder, '0004_gap.sql'), '');
    assert.throws(() => loadMigrations(folder), /without gaps: found 0004_gap\.sql at position 3/);
  });
});

describe('describeSchema', () => {
  it('writes SQL that creates the same schema again, comments aside', async (t) => {
    const [first, second] = [await openEmpty(t), await openEmpty(t)];
    await migrate(first.db, loadMigrations());
    const text = withoutComments(await describeSchema(first.db));
    const statements = text.split(/(?<=;)\n/).filter((each) => each.trim() !== '');
    const isForeign = (line: string) => line.includes('foreign key');
    assert.ok(statements.some(isForeign));
    // Tables are in the order of their names, so references are added once all tables exist.
    const tables = statements.map((each) =>
      each
        .split('\n')
        .filter((line) => !isForeign(line))
        .join('\n')
        .replace(/,\n\)/, '\n)'),
    );
    await second.db.query(tables.join('\n'));
    for (const statement of statements) {
      const table = /create table (\w+)/.exec(statement)?.[1];
      for (const line of statement.split('\n').filter(isForeign))
        await second.db.query(`alter table ${table} add ${line.trim().replace(/,$/, '')}`);
    }
    assert.equal(withoutComments(await describeSchema(second.db)), text);
    assert.deepEqual(await readDefinitions(second.db), await readDefinitions(first.db));
  });

  it('writes a view on one line, after the tables', async (t) => {
    const { db } = await openEmpty(t);
    await db.query(`create table a (id integer, status text)`);
    await db.query(`create view ready as select id from a where status in ('new', 'done')`);
    await db.query(`create view "first" as select id, status from a`);
    await db.query(`comment on view ready is 'Rows that are ready.'`);
    assert.deepEqual((await describeSchema(db)).split('\n').slice(7), [
      'create view first as select id, status from a;',
      '',
      '-- Rows that are ready.',
      `create view ready as select id from a where status in ('new', 'done');`,
      '',
    ]);
  });

  it('writes the comment of a table above it and the comment of a column beside it', async (t) => {
    const { db } = await openEmpty(t);
    await db.query(`create unlogged table a (id integer primary key, payload bytea) with (fillfactor = 50)`);
    await db.query(`alter table a alter column payload set storage external`);
    await db.query(`comment on table a is 'Rows of a. ${'long '.repeat(30).trim()}.'`);
    await db.query(`comment on column a.payload is 'compressed'`);
    assert.deepEqual((await describeSchema(db)).split('\n').slice(2), [
      `-- Rows of a. ${'long '.repeat(21).trim()}`,
      `-- ${'long '.repeat(9).trim()}.`,
      'create unlogged table a (',
      '  id integer not null,',
      '  payload bytea,  -- compressed',
      '  constraint a_pkey primary key (id)',
      ') with (fillfactor = 50);',
      'alter table a alter column payload set storage external;',
      '',
    ]);
  });
});

describe('the migrations', () => {
  it('comment every table and view', async (t) => {
    const { db } = await openEmpty(t);
    await migrate(db, loadMigrations());
    const tables = await db.query<{ name: string; comment: string | null }>(
      `select relname as name, obj_description(oid, 'pg_class') as comment from pg_class
        where relkind in ('r', 'p', 'v') and relnamespace = 'public'::regnamespace`,
    );
    assert.ok(tables.some(({ name }) => name === 'users'));
    assert.deepEqual(
      tables.filter(({ comment }) => !comment?.endsWith('.')).map(({ name }) => name),
      [],
    );
  });
});

function withoutComments(schema: string): string {
  return schema
    .split('\n')
    .filter((line) => !line.startsWith('--'))
    .map((line) => line.replace(/ {2}-- .*$/, ''))
    .join('\n');
}

/** As PostgreSQL prints them, so that a mistake of the simplified text is not repeated by the comparison. */
function readDefinitions(db: Database): Promise<{ name: string; definition: string }[]> {
  return db.query(
    `select viewname::text as name, definition from pg_views where schemaname = 'public'
     union all
     select conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid)
       from pg_constraint where connamespace = 'public'::regnamespace
     union all
     select indexrelid::regclass::text, pg_get_indexdef(indexrelid)
       from pg_index join pg_class c on c.oid = indexrelid where c.relnamespace = 'public'::regnamespace
     union all
     select attrelid::regclass || ' ' || attname,
            concat_ws(' ', format_type(atttypid, atttypmod), attstorage, attnotnull, attidentity, pg_get_expr(adbin, adrelid))
       from pg_attribute a join pg_class c on c.oid = attrelid and c.relkind = 'r'
       left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where attnum > 0 and not attisdropped and c.relnamespace = 'public'::regnamespace
     union all
     select relname, concat_ws(' ', relpersistence, reloptions::text) from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace
     order by 1, 2`,
  );
}
