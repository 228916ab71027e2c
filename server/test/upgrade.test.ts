// Upgrades a populated database: a later version with one more migration starts on the data of this one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatMasterKey, generateMasterKey } from '../src/platform/crypto/master-key.ts';
import type { Queryable } from '../src/platform/db/database.ts';
import { readSchemaVersion } from '../src/platform/db/migrate.ts';
import { beginConnecting, walkThroughConsent } from './support/connect-account.ts';
import { ADDED_COLUMN, listLaterMigrations } from './support/later-migrations.ts';
import { listTables } from './support/search-database.ts';
import type { TestApi } from './support/test-api.ts';
import { createFrozenClock } from './support/test-clock.ts';
import { connectToDatabase, createTestDatabase } from './support/test-database.ts';
import { startPhone } from './support/test-phone.ts';
import { startTestService } from './support/test-service.ts';
import { createUser } from './support/test-users.ts';

const NOW = new Date('2026-04-02T12:00:00Z');
const DATES = 'start_date=2026-03-20&end_date=2026-04-02';
const READS = [
  '',
  '/devices',
  `/daily?${DATES}`,
  `/sleep?${DATES}`,
  `/workouts?${DATES}`,
  `/timeseries?${DATES}&metrics=steps,heart_rate`,
  `/scores/history?${DATES}`,
  '/scores/explain?type=sleep_score&date=2026-04-01',
  '/daily/explain?metric=steps&date=2026-04-01',
];
/** Tables that a sandbox user with a phone and a cloud account fills; an empty table would prove nothing. */
const FILLED = [
  'api_keys',
  'authorization_requests',
  'daily_months',
  'device_months',
  'devices',
  'event_outbox',
  'provider_accounts',
  'raw_payloads',
  'sample_blocks',
  'score_inputs',
  'scores',
  'sdk_sessions',
  'sleep_sessions',
  'sync_tasks',
  'synced_devices',
  'uploads',
  'users',
  'webhooks',
  'workouts',
];
/** A start records when it last used its master key. */
const WRITTEN_AT_START = [
  'public.master_keys',
  'public.schema_migrations',
  'public.processes',
  'public.member_links',
  'public.audit_log',
  'public.audit_inbox',
];

describe('an upgrade of a populated database', () => {
  it('keeps every row, answers every read as before, and accepts new data', async (t) => {
    const database = await createTestDatabase();
    const db = connectToDatabase(database.url, 1);
    t.after(async () => {
      await db.close();
      await database.drop();
    });
    const options = {
      clock: createFrozenClock(NOW),
      role: 'api', // without jobs, so rows change only by requests
      databaseUrl: database.url,
      environment: {
        TRIBUTARY_MASTER_KEY: formatMasterKey(generateMasterKey()),
        TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1',
      },
    } as const;

    const before = await startTestService(options);
    const { live, sandbox } = before.keys;
    const { id: userId } = await createUser(before.api(sandbox), { timezone: 'Europe/Berlin' });
    const phone = await startPhone(before, userId, { key: sandbox });
    await phone.upload({ samples: [{ metric: 'weight', start: '2026-04-02T06:00:00Z', value: 71 }] });
    const { auth_url: link } = await beginConnecting(before.api(sandbox), userId, 'oura');
    assert.match((await walkThroughConsent(link)).text, /is connected/);
    const webhook = { url: 'http://127.0.0.1:9/receive', events: ['data.updated'] };
    assert.equal((await before.api(sandbox).post('/v1/webhooks', webhook)).status, 201);
    const bodiesBefore = await readBodies(before.api(sandbox), userId);
    await before.stop();
    const rowsBefore = await readRows(db);
    for (const table of FILLED) assert.notDeepEqual(rowsBefore[`public.${table}`], [], table);

    const migrations = listLaterMigrations();
    const later = await startTestService({ ...options, migrations });
    t.after(() => later.stop());
    assert.equal(await readSchemaVersion(db), migrations.length);
    assert.deepEqual(await readRows(db), rowsBefore);
    assert.deepEqual(await readBodies(later.api(sandbox), userId), bodiesBefore);

    const sample = { metric: 'weight', start: '2026-04-02T07:00:00Z', value: 72 };
    const source = { provider: 'apple_health', id: 'watch-1', name: 'Watch', device_class: 'wrist' };
    const upload = { upload_id: '0190a000-0000-7000-8000-00000000000a', source, samples: [sample] };
    const accepted = await later.api(phone.accessToken).post('/v1/sdk/uploads', upload);
    assert.equal(accepted.status, 200, accepted.text);
    await createUser(later.api(sandbox));
    await createUser(later.api(live));
  });

  it('answers in full what a client kept of the version before, which may lack fields', async (t) => {
    const service = await startTestService({ role: 'api' });
    t.after(() => service.stop());
    const { id } = await createUser(service.api());
    const path = `/v1/users/${id}/sleep?from_date=2026-03-20`;
    const { headers } = await service.api().get(path);
    const read = () => service.api().get(path, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    assert.equal((await read()).status, 304);
    Object.assign(service.running.services.settings, { version: '99.0.0' });
    assert.equal((await read()).status, 200);
  });

  it('does not disturb a process of the version before, which has prepared its statements', async (t) => {
    const database = await createTestDatabase();
    t.after(() => database.drop());
    const options = {
      role: 'api',
      databaseUrl: database.url,
      environment: { TRIBUTARY_MASTER_KEY: formatMasterKey(generateMasterKey()) },
    } as const;
    const before = await startTestService(options);
    t.after(() => before.stop());
    const api = before.api();
    const { id: userId } = await createUser(api);
    const invited = await api.post('/v1/team/roster/invitations', { email: 'ada@example.com' });
    assert.equal(invited.status, 201, invited.text);
    const ofUser = (path: string) => `/v1/users/${userId}${path}`;
    const paths = ['', '/devices', '/sdk-sessions', '/daily', '/scores'].map(ofUser);
    paths.push(`/v1/team/roster/invitations/${invited.body.id}`, '/v1/team/roster', '/v1/events', '/v1/webhooks');
    const phone = await startPhone(before, userId);
    const callAll = async () => {
      await phone.upload({ samples: [{ metric: 'weight', start: new Date().toISOString(), value: 71 }] });
      await startPhone(before, userId);
      for (const path of paths) {
        const answer = await api.get(path);
        assert.equal(answer.status, 200, `${path}: ${answer.text}`);
      }
    };
    await callAll();
    const later = await startTestService({ ...options, migrations: listLaterMigrations() });
    t.after(() => later.stop());
    await callAll();
  });
});

async function readBodies(api: TestApi, userId: string): Promise<Record<string, unknown>> {
  const bodies: Record<string, unknown> = {};
  for (const path of [...READS.map((read) => `/v1/users/${userId}${read}`), '/v1/users', '/v1/webhooks']) {
    const { status, body, text } = await api.get(path, { headers: { 'api-form': '1' } });
    assert.equal(status, 200, `${path}: ${text}`);
    bodies[path] = body;
  }
  return bodies;
}

/** Every row of every table as text, without the column that the later version adds. */
async function readRows(db: Queryable): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const table of await listTables(db)) {
    if (WRITTEN_AT_START.includes(table)) continue;
    const found = await db.query<{ row: string }>(
      `select md5((to_jsonb(t) - '${ADDED_COLUMN}')::text) as row from ${table} t order by 1`,
    );
    rows[table] = found.map(({ row }) => row);
  }
  return rows;
}
