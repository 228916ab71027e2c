// The roles of the embedded database: the service can read and write rows, and a cluster from before there were roles is handed over.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openHarness, query } from '../../../test/support/embedded-postgres-harness.ts';
import { createDatabase } from '../db/database.ts';
import { grantServiceRole } from '../db/grant-service-role.ts';
import { loadMigrations, migrate } from '../db/migrate.ts';
import { migrateJobs } from '../jobs/worker.ts';
import { createLogger } from '../log.ts';
import { OWNER_ROLE, SERVICE_ROLE } from './ensure-roles.ts';
import type { EmbeddedPostgres } from './index.ts';

const log = createLogger('silent');

/** As start-database.ts does it. */
async function prepare(owner: EmbeddedPostgres['connection']): Promise<void> {
  const db = createDatabase({ maxConnections: 2, log, hasNoStatementTimeout: true });
  db.attach(owner);
  await migrate(db, loadMigrations());
  await migrateJobs(db, log);
  await grantServiceRole(db, SERVICE_ROLE);
  await db.close();
}

async function start(harness: Awaited<ReturnType<typeof openHarness>>, name: string): Promise<EmbeddedPostgres> {
  const dataDir = join(harness.root, name);
  await mkdir(dataDir, { recursive: true, mode: 0o755 });
  return harness.start(dataDir);
}

const POWERS = `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles
  where rolname in ('${OWNER_ROLE}', '${SERVICE_ROLE}') order by rolname`;
const OWNERS = `select distinct pg_get_userbyid(c.relowner) from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname in ('public', 'graphile_worker')
  union select distinct pg_get_userbyid(p.proowner) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where n.nspname in ('public', 'graphile_worker')
  union select pg_get_userbyid(nspowner) from pg_namespace where nspname = 'graphile_worker'
  union select pg_get_userbyid(datdba) from pg_database where datname = current_database()`;

async function expectPowerless(postgres: EmbeddedPostgres): Promise<void> {
  const { serviceConnection: service, ownerConnection: owner } = postgres;
  assert.deepEqual(await query(service, POWERS), [
    [OWNER_ROLE, false, false, false, false, false],
    [SERVICE_ROLE, false, false, false, false, false],
  ]);
  const refused = { code: '42501' };
  for (const [index, connection] of [service, owner].entries()) {
    await assert.rejects(query(connection, `select pg_read_file('postgresql.conf')`), refused);
    await assert.rejects(query(connection, `copy (select 1) to program 'true'`), refused);
    await assert.rejects(query(connection, `copy (select 1) to '/tmp/copied'`), refused);
    await assert.rejects(query(connection, `create role somebody_${index} superuser`), refused);
    await assert.rejects(query(connection, `create database another_${index}`), refused);
    await assert.rejects(query(connection, `alter system set fsync = off`), refused);
    await assert.rejects(query(connection, 'set role tributary'), refused);
    await assert.rejects(query(connection, `select * from pg_authid`), refused);
  }
  for (const ddl of [
    'create table made_by_service (x int)',
    'drop table accounts',
    'alter table users add column x int',
    'truncate users',
    `delete from schema_migrations`,
    'create schema own_schema',
    'create extension pg_trgm',
  ])
    await assert.rejects(query(service, ddl), /permission denied|must be owner/, ddl);
}

describe('roles', () => {
  it('neither the service nor the table owner is a superuser; the service reads and writes rows and jobs', async (t) => {
    const postgres = await start(await openHarness(t), 'new');
    await prepare(postgres.ownerConnection);
    await prepare(postgres.ownerConnection); // every start does it
    assert.deepEqual(await query(postgres.connection, OWNERS), [[OWNER_ROLE]]);
    await expectPowerless(postgres);
    const { serviceConnection: service } = postgres;
    const insert = `insert into accounts (id, name, default_form, created_at) values (gen_random_uuid(), 'acme', 1, now())`;
    await query(service, insert);
    assert.deepEqual(await query(service, `update accounts set name = 'other' returning name`), [['other']]);
    await query(service, `select graphile_worker.add_job('some_task', '{}')`);
    assert.deepEqual(await query(service, 'select task_identifier from graphile_worker.jobs'), [['some_task']]);
    assert.deepEqual(await query(service, 'delete from graphile_worker._private_jobs returning attempts'), [[0]]);
  });

  it('a cluster owned by the superuser gets the new owner and keeps its rows', async (t) => {
    const harness = await openHarness(t);
    const before = await start(harness, 'old');
    // As an earlier version left it: one role, which owns everything.
    await query({ ...before.connection, database: 'postgres' }, 'drop database tributary');
    await query({ ...before.connection, database: 'postgres' }, `drop role ${OWNER_ROLE}`);
    await query({ ...before.connection, database: 'postgres' }, `drop role ${SERVICE_ROLE}`);
    await query({ ...before.connection, database: 'postgres' }, 'create database tributary');
    const db = createDatabase({ maxConnections: 2, log, hasNoStatementTimeout: true });
    db.attach(before.connection);
    await migrate(db, loadMigrations());
    await migrateJobs(db, log);
    await db.query(
      `insert into accounts (id, name, default_form, created_at) values (gen_random_uuid(), 'kept', 1, now())`,
    );
    await db.close();
    assert.deepEqual(await query(before.connection, OWNERS), [['tributary']]);
    await before.stop();

    const after = await start(harness, 'old');
    assert.deepEqual(await query(after.connection, OWNERS), [[OWNER_ROLE]]);
    await prepare(after.ownerConnection);
    await expectPowerless(after);
    assert.deepEqual(await query(after.serviceConnection, 'select name from accounts'), [['kept']]);
  });
});
