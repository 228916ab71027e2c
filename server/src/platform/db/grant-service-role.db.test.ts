// The owner of the tables is not a superuser, and the database has objects of others.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { connectToDatabase, createEmptyDatabase } from '../../../test/support/test-database.ts';
import { migrateJobs } from '../jobs/worker.ts';
import { createLogger } from '../log.ts';
import type { Database } from './database.ts';
import { grantServiceRole } from './grant-service-role.ts';
import { loadMigrations, migrate } from './migrate.ts';

type Roles = { readonly admin: Database; readonly owner: Database; readonly service: Database; readonly role: string };

async function openRoles(t: TestContext, searchPath: string): Promise<Roles> {
  const database = await createEmptyDatabase();
  const admin = connectToDatabase(database.url, 1);
  const suffix = randomBytes(4).toString('hex');
  const [owner, service] = await Promise.all(
    ['owner', 'service'].map(async (kind) => {
      const name = `test_${kind}_${suffix}`;
      await admin.query(`create role ${name} login password '${suffix}'`);
      const url = new URL(database.url);
      [url.username, url.password] = [name, suffix];
      url.searchParams.set('options', `-c search_path=${searchPath}`);
      return { name, db: connectToDatabase(url.href, 2) };
    }),
  );
  if (!owner || !service) throw new Error('no roles');
  await admin.query(`alter database ${new URL(database.url).pathname.slice(1)} owner to ${owner.name}`);
  t.after(async () => {
    await Promise.all([owner.db.close(), service.db.close()]);
    await admin.query(`drop owned by ${owner.name}, ${service.name} cascade`);
    await admin.query(`alter database ${new URL(database.url).pathname.slice(1)} owner to current_user`);
    await admin.query(`drop role ${owner.name}`);
    await admin.query(`drop role ${service.name}`);
    await admin.close();
    await database.drop();
  });
  return { admin, owner: owner.db, service: service.db, role: service.name };
}

async function prepare({ owner, role }: Roles): Promise<void> {
  await migrate(owner, loadMigrations());
  await migrateJobs(owner, createLogger('silent'));
  await grantServiceRole(owner, role);
}

describe('the grants for the role of the service', () => {
  it('need no rights to extensions and tables of others', async (t) => {
    const roles = await openRoles(t, 'public');
    const { admin, service } = roles;
    await admin.query('create extension pg_stat_statements');
    await admin.query('create table not_ours (value int); alter table not_ours enable row level security');
    await prepare(roles);
    await service.query('select 1 from accounts');
    await service.query(`select graphile_worker.add_job('erase_user', '{}'::json)`);
    await assert.rejects(service.query('select 1 from not_ours'), /permission denied/);
  });

  it('are for the schema of search_path', async (t) => {
    const roles = await openRoles(t, 'health');
    await roles.owner.query('create schema health');
    await prepare(roles);
    await roles.service.query('select 1 from accounts');
    await assert.rejects(roles.service.query('delete from schema_migrations'), /permission denied/);
  });
});
