// Runs the service with two database roles: one owns the tables and migrates, the other can only read and write rows.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { sendRosterMailJob } from '../../src/features/people/roster/index.ts';
import { connectToDatabase, createEmptyDatabase } from '../support/test-database.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const database = await createEmptyDatabase();
const admin = connectToDatabase(database.url, 1);
const password = randomBytes(12).toString('hex');
const role = `test_service_${randomBytes(4).toString('hex')}`;
await admin.query(`create role ${role} login password '${password}'`);
const url = new URL(database.url);
[url.username, url.password] = [role, password];
const masterKey = { TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') };
const service = await startTestService({
  databaseUrl: url.href,
  environment: { ...masterKey, TRIBUTARY_MIGRATION_DATABASE_URL: database.url },
});
after(async () => {
  await service.stop();
  await admin.query(`drop owned by ${role}`);
  await admin.query(`drop role ${role}`);
  await admin.close();
  await database.drop();
});

describe('a service whose role owns nothing', () => {
  it('runs as that role, which can neither create tables nor read files', async () => {
    const { db } = service.running.services;
    const [who] = await db.query<{ role: string; superuser: boolean }>(
      'select rolname as role, rolsuper as superuser from pg_roles where rolname = current_user',
    );
    assert.deepEqual(who, { role, superuser: false });
    for (const sql of ['create table x (y int)', 'drop table users', `select pg_read_file('PG_VERSION')`])
      await assert.rejects(db.query(sql), /permission denied|must be owner/, sql);
  });

  it('creates users, accepts uploads, computes scores, and runs jobs', async () => {
    const api = service.api();
    const user = await createUser(api);
    const phone = await startPhone(service, user.id);
    const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    await phone.upload({
      samples: [{ metric: 'steps', start: `${day}T08:00:00Z`, end: `${day}T08:10:00Z`, value: 900 }],
    });
    assert.equal((await api.delete(`/v1/users/${user.id}`)).status, 202);
    await waitUntil('the erasure, which is a job', async () => {
      const rows = await service.running.services.db.query('select 1 from users where id = $1', [user.id]);
      return rows.length === 0;
    });
  });

  it('runs jobs as another role after DATABASE_URL has changed', async () => {
    const next = `${role}_next`;
    await admin.query(`create role ${next} login password '${password}'`);
    const nextUrl = new URL(url);
    nextUrl.username = next;
    const second = await startTestService({
      databaseUrl: nextUrl.href,
      environment: { ...masterKey, TRIBUTARY_MIGRATION_DATABASE_URL: database.url },
    });
    try {
      const { db, jobs } = second.running.services;
      const payload = { news: 'left', id: randomUUID() } as const;
      await db.transaction((tx) => jobs.enqueue(tx, sendRosterMailJob, payload, { delayMs: DAY_MS }));
      for (const who of [db, service.running.services.db]) {
        const rows = await who.query(`select 1 from graphile_worker.jobs where task_identifier = 'send_roster_mail'`);
        assert.equal(rows.length, 1, 'both roles see the queue, because both run during the replacement');
      }
    } finally {
      await second.stop();
      await admin.query(`drop owned by ${next}`);
      await admin.query(`drop role ${next}`);
    }
  });

  it('starts again without the owner role if nothing has to be migrated', async () => {
    const second = await startTestService({ databaseUrl: url.href, environment: masterKey });
    await second.stop();
  });
});
