// `tributary doctor` on a running service with problems.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { recordDatabaseSizeJob } from '../../src/features/operator/monitoring/index.ts';
import { lockDataFolder } from '../../src/platform/data-folder.ts';
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

  async function examine(
    environment = {},
    of = service,
  ): Promise<(check: string) => Report['checks'][number] | undefined> {
    const { code, stdout } = await runCli(of, ['doctor', '--json'], environment);
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

  it('says which addresses webhooks may have, and warns of a setting for development', async () => {
    const find = (await examine())('webhook hosts');
    assert.deepEqual([find?.isWarning ?? false, find?.found], [false, 'public addresses over https']);
    const networks = (await examine({ TRIBUTARY_WEBHOOK_NETWORKS: '10.0.0.0/8,fd00::/8' }))('webhook hosts');
    const found = 'public addresses over https, and 10.0.0.0/8, fd00::/8 also over http (TRIBUTARY_WEBHOOK_NETWORKS)';
    assert.deepEqual([networks?.isWarning ?? false, networks?.found], [false, found]);
    const local = (await examine({ TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' }))('webhook hosts');
    assert.equal(local?.isWarning, true);
    assert.match(local?.found ?? '', /^every customer can reach this machine \(TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS\)$/);
  });

  it('checks the service where it listens, and the public URL separately', async (t) => {
    const other = createServer((_request, response) => response.end('another program'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    const publicUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const behind = await startTestService({ role: 'api', environment: { TRIBUTARY_PUBLIC_URL: publicUrl } });
    t.after(() => behind.stop());
    const find = await examine({}, behind);
    assert.match(find('readiness')?.found ?? '', /^ready at http:\/\/127\.0\.0\.1:\d+; migration \d+/);
    assert.deepEqual(
      [find('public URL')?.isWarning, find('public URL')?.found],
      [true, `${publicUrl} answers with status 200 and no JSON`],
    );
    other.closeAllConnections();
    await new Promise((resolve) => other.close(resolve));
    const found = (await examine({}, behind))('public URL')?.found;
    assert.equal(found, `${publicUrl} does not answer (ECONNREFUSED)`);
  });

  it('fails if the service does not answer where it listens', async (t) => {
    const broken = await startTestService({ role: 'api' });
    t.after(() => broken.stop());
    const file = join(broken.config.dataDir, 'service.json');
    const address = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...address, listenUrl: 'http://127.0.0.1:1' }));
    const { code, stdout } = await runCli(broken, ['doctor', '--json']);
    const { checks } = JSON.parse(stdout) as Report;
    assert.equal(code, 1);
    assert.deepEqual(
      checks.filter(({ ok }) => !ok).map(({ check, found }) => [check, found]),
      [['readiness', 'http://127.0.0.1:1 does not answer (ECONNREFUSED)']],
    );
  });

  it('passes where only a worker runs, with the same checks', async (t) => {
    const worker = await startTestService({ role: 'worker' });
    t.after(() => worker.stop());
    const { port } = new URL(worker.url);
    const checksOf = async (of: TestService, environment = {}) => {
      const { code, stdout } = await runCli(of, ['doctor', '--json'], environment);
      const { checks } = JSON.parse(stdout) as Report;
      assert.equal(code, 0, JSON.stringify(checks.filter(({ ok }) => !ok)));
      return checks;
    };
    const checks = await checksOf(worker, { PORT: port });
    const found = checks.find(({ check }) => check === 'service')?.found;
    assert.equal(found, `running, worker process ${process.pid}, ${worker.url}`);
    const names = (of: Report['checks']) => of.map(({ check }) => check.replace('worker.json', 'service.json'));
    assert.deepEqual(names(checks), names(await checksOf(service)));
  });

  it('asks the API process of a folder that a worker shares', async () => {
    const { databaseUrl, dataDir } = service.config;
    const environment = { TRIBUTARY_DATA_DIR: dataDir };
    const worker = await startTestService({ role: 'worker', databaseUrl: databaseUrl ?? '', environment });
    const found = async () => (await examine())('service')?.found;
    assert.equal(await found(), `running, process ${process.pid}, ${service.url}`);
    await worker.stop();
    assert.equal(existsSync(join(dataDir, 'worker.json')), false);
    assert.equal(await found(), `running, process ${process.pid}, ${service.url}`);
  });

  it('is the only command that a worker answers', async (t) => {
    const worker = await startTestService({ role: 'worker' });
    t.after(() => worker.stop());
    const { code, stderr } = await runCli(worker, ['keys', 'list']);
    assert.equal(code, 1);
    assert.match(stderr, /is that of a worker, .* where an API process runs\.$/m);
    const address = JSON.parse(readFileSync(join(worker.config.dataDir, 'worker.json'), 'utf8'));
    const refused = await worker.operator(address.operatorToken).post('/admin/accounts', { name: 'other' });
    assert.equal(refused.status, 405);
    assert.equal((await worker.operator(address.operatorToken).get('/admin/diagnosis')).status, 200);
    assert.equal((await worker.operator('op_wrong').get('/admin/diagnosis')).status, 401);
  });

  it('does not take a service whose lead process is away for another program', async (t) => {
    const cut = await startTestService({ role: 'api' });
    t.after(() => cut.stop());
    const { dataDir } = cut.config;
    const file = join(dataDir, 'service.json');
    const address = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...address, operatorSocket: join(dataDir, 'gone.sock') }));
    const lock = lockDataFolder(dataDir) ?? assert.fail('locked');
    t.after(() => lock.release());
    const { port } = new URL(address.listenUrl);
    const { code, stdout } = await runCli(cut, ['doctor', '--json'], { DATABASE_URL: '', PORT: port });
    const find = (name: string) => (JSON.parse(stdout) as Report).checks.find(({ check }) => check === name);
    assert.equal(code, 1);
    assert.equal(find('service')?.found, 'running, but it does not answer the command line');
    assert.equal(find('port')?.found, `127.0.0.1:${port} is in use by a Tributary service`);
    assert.match(find('port')?.fix ?? '', /^If it is the service of this data folder, .* run this command again/);
  });

  it('calls another program on the port by no other name', async (t) => {
    const other = createServer((_request, response) => response.end('{}'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    t.after(() => other.close());
    t.after(() => other.closeAllConnections());
    const { port } = other.address() as AddressInfo;
    const { stdout } = await runCli(service, ['doctor', '--json'], {
      PORT: `${port}`,
      TRIBUTARY_DATA_DIR: '/nowhere',
    });
    const found = (JSON.parse(stdout) as Report).checks.find(({ check }) => check === 'port');
    assert.deepEqual(
      [found?.found, /^Stop the program/.test(found?.fix ?? '')],
      [`127.0.0.1:${port} EADDRINUSE`, true],
    );
  });

  it('fails if an erasure cannot be recorded', async () => {
    assert.equal((await examine())('tombstones')?.found, join(service.config.dataDir, 'tombstones.jsonl'));
    const missing = join(service.config.dataDir, 'new', 'tombstones.jsonl');
    assert.equal((await examine({ TRIBUTARY_TOMBSTONE_FILE: missing }))('tombstones')?.ok, true);
    assert.equal(existsSync(dirname(missing)), false, 'changes nothing');
    for (const file of ['/dev/null/tombstones.jsonl', service.config.dataDir]) {
      const { code, stdout } = await runCli(service, ['doctor', '--json'], { TRIBUTARY_TOMBSTONE_FILE: file });
      const { checks } = JSON.parse(stdout) as Report;
      assert.equal(code, 1);
      const failed = checks.filter(({ ok }) => !ok);
      assert.deepEqual(
        failed.map(({ check, found }) => [check, found]),
        [['tombstones', `${file} cannot be written`]],
      );
      assert.match(failed[0]?.fix ?? '', /TRIBUTARY_TOMBSTONE_FILE/);
    }
  });

  it('warns of a Redis that does not answer, and of one that refuses', async (t) => {
    const find = await examine({ REDIS_URL: 'redis://:hunter2@127.0.0.1:1' });
    const { isWarning, found = '', fix = '' } = find('Redis') ?? assert.fail('not checked');
    assert.equal(isWarning, true);
    assert.match(found, /^does not count the rate limits \(.*ECONNREFUSED/);
    assert.match(fix, /REDIS_URL/);
    const server = createTcpServer((socket) => socket.on('error', () => undefined).resume()); // never answers
    const sockets = new Set<Socket>();
    server.on('connection', (socket) => sockets.add(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    const silent = await examine({ REDIS_URL: `redis://127.0.0.1:${(server.address() as AddressInfo).port}` });
    assert.equal(silent('Redis')?.isWarning, true);
    assert.equal((await examine())('Redis'), undefined, 'without REDIS_URL there is none');
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
