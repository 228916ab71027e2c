// `tributary doctor` on a running service with problems.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { recordDatabaseSizeJob } from '../../src/features/operator/monitoring/index.ts';
import { runCli } from '../support/run-cli.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

type Report = {
  ok: boolean;
  checks: { check: string; ok: boolean; isWarning?: boolean; found: string; fix?: string }[];
};

describe('tributary doctor', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ role: 'api' });
  });
  after(() => service.stop());

  async function examine(environment = {}): Promise<(check: string) => Report['checks'][number] | undefined> {
    const { code, stdout } = await runCli(service, ['doctor', '--json'], environment);
    assert.equal(code, 0, stdout);
    return (check) => (JSON.parse(stdout) as Report).checks.find((one) => one.check === check);
  }

  it('checks providers, mail, webhooks, keys and growth of a new service', async () => {
    const find = await examine();
    for (const check of ['providers', 'mail', 'webhooks', 'master key', 'growth', 'API keys'])
      assert.equal(find(check)?.isWarning ?? false, false, JSON.stringify(find(check)));
    assert.match(find('providers')?.found ?? '', /no application/);
    assert.match(find('mail')?.found ?? '', /not configured/);
  });

  it('warns of a Citus node that cannot be reached', async () => {
    const database = { DATABASE_URL: service.config.databaseUrl ?? '' };
    assert.equal((await examine(database))('Citus node'), undefined);
    const find = await examine({ ...database, TRIBUTARY_CITUS_NODES: '127.0.0.1:1' });
    const { isWarning, found = '', fix = '' } = find('Citus node') ?? {};
    assert.equal(isWarning, true);
    assert.match(found, /^127\.0\.0\.1:1: .*ECONNREFUSED/);
    assert.match(fix, /TRIBUTARY_CITUS_NODES/);
  });

  it('names a failing webhook by host, a mail that failed, a failing sync and the growth', async () => {
    const { services } = service.running;
    const { db } = services;
    const [account] = await db.query<{ id: string }>('select id from accounts');
    await db.query(
      `insert into webhooks (id, account_id, environment, url, events, secret, created_at, failing_since)
       values (gen_random_uuid(), $1, 'live', 'https://receiver.invalid/secret-path', '{}', '', now(), now() - interval '2 hours')`,
      [account?.id],
    );
    await db.query(`select graphile_worker.add_job('send_roster_mail', payload => '{}')`);
    await db.query(
      `update graphile_worker._private_jobs set attempts = 1, last_error = E'the mail server did not accept a mail (EAUTH 535)\\n at x'`,
    );
    await db.query(
      `insert into synced_devices (user_id, device_id, account_id, environment, provider, app_id, due_at, failures, backoff_until)
       values (gen_random_uuid(), gen_random_uuid(), $1, 'live', 'oura', 'app', now(), 3, now() + interval '1 hour')`,
      [account?.id],
    );
    await recordDatabaseSizeJob.run(services, {});
    await db.query(`insert into database_sizes select day - 10, bytes - 5000000 from database_sizes`);
    const find = await examine();
    assert.match(find('webhooks')?.found ?? '', /^default live receiver\.invalid \(.*\) failing since/);
    assert.doesNotMatch(find('webhooks')?.found ?? '', /secret-path/);
    assert.match(find('mail')?.found ?? '', /1 mails failed, .*: the mail server did not accept a mail \(EAUTH 535\)$/);
    assert.match(
      find('providers')?.found ?? '',
      /^oura: 1 devices, but no application .*webhooks of 1 app.*1 of 1 devices fail/,
    );
    assert.match(find('growth')?.found ?? '', /grows by 0\.00 GiB per day/);
  });
});
