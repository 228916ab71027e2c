// Tests the tributary command in this process.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DAY_MS } from '../../src/domain/time/durations.ts';
import { runCli } from '../support/run-cli.ts';
import { startPhone } from '../support/test-phone.ts';
import { startTestService } from '../support/test-service.ts';
import { createUser } from '../support/test-users.ts';

const service = await startTestService();
const emptyFolder = mkdtempSync(join(tmpdir(), 'tributary-cli-'));
after(async () => {
  await service.stop();
  rmSync(emptyFolder, { recursive: true });
});

const run = (args: readonly string[], environment: Record<string, string> = {}) => runCli(service, args, environment);

/** Expects exit code 0, nothing on standard error, and one line of JSON. */
async function runJson(...args: string[]) {
  const { code, stdout, stderr } = await run([...args, '--json']);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, stdout);
  assert.match(stdout, /^[^\n]+\n$/);
  return JSON.parse(stdout);
}

async function runText(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(args);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, stdout);
  return stdout;
}

const statusOf = async (key: string) => (await service.api(key).get('/v1/users')).status;
const newName = () => `cli ${randomUUID()}`;

describe('accounts', () => {
  it('create --json prints the account', async () => {
    const name = newName();
    const account = await runJson('accounts', 'create', '--name', name);
    assert.deepEqual(Object.keys(account).slice(0, 2), ['account', 'name']);
    assert.deepEqual(
      [account.account, account.name, account.billing_status, account.default_form],
      [name, name, 'active', 1],
    );
  });

  it('create prints the next step, and rejects a taken name', async () => {
    const name = newName();
    assert.match(
      await runText('accounts', 'create', '--name', name),
      /npm run -s tributary -- keys create --environment sandbox --account "cli /,
    );
    const { code, stdout, stderr } = await run(['accounts', 'create', '--name', name]);
    assert.deepEqual([code, stdout, stderr], [1, '', 'This name is taken. Choose another name.\n']);
  });

  it('list prints accounts with and without --json', async () => {
    const list = await runJson('accounts', 'list');
    const own = list.find((account: { name: string }) => account.name === 'default');
    assert.deepEqual(
      own.environments.map((each: { environment: string }) => each.environment),
      ['live', 'sandbox'],
    );
    assert.match(
      await runText('accounts', 'list'),
      /^ACCOUNT +STATUS +BILLING +FORM +LIVE USERS +SANDBOX USERS +CREATED\n/,
    );
  });

  it('set-billing, set-form, set-routes and set-limit take effect at once', async () => {
    const { account } = await runJson('accounts', 'create', '--name', newName());
    const { key } = await runJson('keys', 'create', '--environment', 'live', '--account', account);
    assert.equal(
      (await runJson('accounts', 'set-billing', '--account', account, '--status', 'suspended')).billing_status,
      'suspended',
    );
    assert.equal(await statusOf(key), 402);
    assert.match(
      await runText('accounts', 'set-billing', '--account', account, '--status', 'active'),
      /billing active/,
    );
    assert.equal((await runJson('accounts', 'set-form', '--account', account, '--form', '2')).default_form, 2);
    for (const [keep, keeps] of [
      ['yes', true],
      ['no', false],
    ] as const)
      assert.equal((await runJson('accounts', 'set-routes', '--account', account, '--keep', keep)).keep_routes, keeps);
    assert.equal((await service.api(key).get('/v1/users')).headers.get('api-form'), '2');
    const limit = await runJson('accounts', 'set-limit', '--account', account, '--environment', 'live', '--users', '0');
    assert.deepEqual(limit, { account, environment: 'live', limit: 0 });
    assert.equal((await service.api(key).post('/v1/users', { external_ref: 'x' })).status, 402);
    assert.match(
      await runText('accounts', 'set-limit', '--account', account, '--environment', 'live', '--users', 'none'),
      /no user limit/,
    );
    assert.equal((await service.api(key).post('/v1/users', { external_ref: 'x' })).status, 201);
  });
});

describe('roster rotate-link', () => {
  it('revokes the links of an address, with and without --json; rejects an unknown address', async () => {
    const email = `${randomUUID()}@example.org`;
    const { live } = service.keys;
    assert.equal((await service.api(live).post('/v1/team/roster/invitations', { email })).status, 201);
    assert.deepEqual(await runJson('roster', 'rotate-link', '--email', email), { email, sent_by: 'stdout' });
    assert.match(await runText('roster', 'rotate-link', '--email', email), /are now invalid/);
    const { code, stderr } = await run(['roster', 'rotate-link', '--email', 'nobody@example.org']);
    assert.deepEqual([code, stderr], [1, 'No person with this address was invited.\n']);
  });
});

describe('keys', () => {
  it('create and rotate --json print the whole response; only rotate revokes the previous key', async () => {
    const fields = ['key', 'environment', 'account', 'expires_at', 'id', 'name', 'replaced'];
    for (const environment of ['live', 'sandbox'] as const) {
      const made = await runJson('keys', 'create', '--environment', environment);
      assert.deepEqual(Object.keys(made), fields);
      assert.deepEqual([made.environment, made.account, made.replaced], [environment, 'default', null]);
      assert.equal(made.name, 'key-2');
      assert.ok(Math.abs(Date.parse(made.expires_at) - Date.now() - 90 * DAY_MS) < 120_000);
      assert.equal(await statusOf(made.key), 200);
      assert.equal(await statusOf(service.keys[environment]), 200);
      const rotated = await runJson('keys', 'rotate', '--environment', environment);
      assert.deepEqual(Object.keys(rotated), fields);
      assert.equal(rotated.name, 'default');
      assert.match(rotated.replaced.id, /^[0-9a-f-]{36}$/);
      assert.deepEqual([await statusOf(rotated.key), await statusOf(made.key)], [200, 200]);
      assert.equal(await statusOf(service.keys[environment]), 401);
    }
  });

  it('creates, lists and revokes keys of another account', async () => {
    const { account } = await runJson('accounts', 'create', '--name', newName());
    const { key } = await runJson('keys', 'create', '--environment', 'live', '--account', account);
    const list = await runJson('keys', 'list');
    const own = list.filter((each: { account: string }) => each.account === account);
    assert.deepEqual(
      own.map((each: { status: string; last_four: string }) => [each.status, each.last_four]),
      [['active', key.slice(-4)]],
    );
    assert.ok(!JSON.stringify(list).includes(key));
    assert.match(await runText('keys', 'list'), new RegExp(`sk_live_…${key.slice(-4)} +active`));
    const { id, ended, still_active, ...revoked } = await runJson(
      ...['keys', 'revoke', '--environment', 'live', '--account', account],
    );
    assert.deepEqual(revoked, { account, environment: 'live', revoked: 1 });
    assert.equal(id, own[0].id);
    const nothing = { sdk_sessions: 0, mobile_tokens: 0, webhooks: 0 };
    assert.deepEqual([ended, still_active], [nothing, nothing]);
    assert.equal(await statusOf(key), 401);
    assert.match(
      await runText('keys', 'revoke', '--environment', 'live', '--account', account),
      /has no active live key/,
    );
  });

  it('create --name adds a key, rotate replaces the key of that name, revoke accepts an id', async () => {
    const { account } = await runJson('accounts', 'create', '--name', newName());
    const of = ['--environment', 'live', '--account', account];
    const first = await runJson('keys', 'create', ...of);
    const second = await runJson('keys', 'create', ...of, '--name', 'import job');
    assert.deepEqual([await statusOf(first.key), await statusOf(second.key)], [200, 200]);
    const unnamed = await run(['keys', 'create', ...of, '--name', '']);
    assert.equal(unnamed.stderr, 'The input is invalid:\n  - name must not be empty\n');
    const taken = await run(['keys', 'create', ...of, '--name', 'import job']);
    assert.deepEqual([taken.code, taken.stdout], [1, '']);
    assert.match(taken.stderr, /rotate that key/);
    const third = await runJson('keys', 'rotate', ...of, '--name', 'import job');
    const statuses = [await statusOf(first.key), await statusOf(second.key), await statusOf(third.key)];
    assert.deepEqual(statuses, [200, 401, 200]);
    const { id } = (await runJson('keys', 'list')).find(
      (each: { account: string; name: string; status: string }) =>
        each.account === account && each.name === 'import job' && each.status === 'active',
    );
    assert.match(await runText('keys', 'list'), new RegExp(`import job +sk_live_….*${id}`));
    assert.match(await runText('keys', 'revoke', id), /Key revoked\./);
    assert.match(await runText('keys', 'revoke', id), /The key was already revoked\./);
    assert.deepEqual([await statusOf(first.key), await statusOf(third.key)], [200, 401]);
    for (const args of [
      ['keys', 'revoke'],
      ['keys', 'revoke', id, '--environment', 'live'],
    ])
      assert.match((await run(args)).stderr, /by its ID .* or by --environment/);
  });

  it('revoke and rotate list what was created with the key, and revoke --end-all ends it', async () => {
    const { account } = await runJson('accounts', 'create', '--name', newName());
    const of = ['--environment', 'live', '--account', account];
    const { key } = await runJson('keys', 'create', ...of);
    const user = await createUser(service.api(key));
    const phone = await startPhone(service, user.id, { key });
    const hook = await service.api(key).post('/v1/webhooks', { url: 'https://hooks.example/in', events: ['*'] });
    assert.equal(hook.status, 201);
    const replaced = await runText('keys', 'rotate', ...of);
    const command = /keys revoke (\S+) --end-all/.exec(replaced);
    assert.match(replaced, /Still active and created with the old key: 1 SDK session, 1 webhook\./);
    const id = command?.[1] ?? '';
    assert.match(await runText('keys', 'revoke', id), /Still active/);
    assert.equal((await phone.send({})).status, 400, 'the session still works');
    assert.match(
      await runText('keys', 'revoke', id, '--end-all'),
      /The key was already revoked\.\nAlso ended: 1 SDK session, 1 webhook\.\n$/,
    );
    assert.equal((await phone.send({})).status, 401);
  });

  it('create prints only the key on its first line', async () => {
    const { account } = await runJson('accounts', 'create', '--name', newName());
    const text = await runText('keys', 'create', '--environment', 'sandbox', '--account', account);
    assert.equal(await statusOf(text.split('\n')[0] ?? ''), 200);
    assert.match(text, /Created the sandbox key "default" of .* It is shown only once\.\n$/);
    const second = await runText('keys', 'create', '--environment', 'sandbox', '--account', account);
    assert.match(second, /Created the sandbox key "key-2" of .* It is shown only once\.\n$/);
    const rotated = await runText('keys', 'rotate', '--environment', 'sandbox', '--account', account);
    assert.match(rotated, /It is shown only once\. The previous key no longer works\.\n$/);
  });

  it('exits with 1 and the reason for an unknown account', async () => {
    const { code, stderr } = await run(['keys', 'create', '--environment', 'live', '--account', 'nobody']);
    assert.deepEqual([code, stderr], [1, 'Account nobody was not found.\n']);
  });
});

describe('inspect and replay', async () => {
  const user = await createUser(service.api());
  const phone = await startPhone(service, user.id);
  await phone.upload({
    samples: [
      { metric: 'heart_rate', start: '2026-03-09T11:00:00+01:00', value: 60 },
      { metric: 'heart_rate', start: '2026-03-09T11:00:10+01:00', value: 120.5 },
      { metric: 'steps', start: '2026-03-09T10:00:00Z', end: '2026-03-09T10:05:00Z', value: 7 },
    ],
  });

  it('inspect prints one line per metric and device, and how to see more', async () => {
    const lines = (await runText('inspect', '--user', user.id)).split('\n');
    assert.match(lines[0] ?? '', /^METRIC +DEVICE +FROM +TO +BLOCKS +SAMPLES +BYTES$/);
    assert.match(
      lines[1] ?? '',
      /^steps +#1 apple_health\/wrist +2026-03-09T10:00:00Z +2026-03-09T10:05:00Z +1 +1 +\d+$/,
    );
    assert.match(lines[2] ?? '', /^heart_rate +#1 apple_health\/wrist .* 1 +2 +\d+$/);
    assert.match(lines[4] ?? '', /^2 blocks, 3 samples, \d+ bytes: [\d.]+ per sample\.$/);
    assert.equal(
      lines[7],
      `To list the blocks of a metric: npm run -s tributary -- inspect --user ${user.id} --metric ID`,
    );
    assert.equal((await runJson('inspect', '--user', user.id)).length, 2, 'for programs, every block');
  });

  it('inspect --metric lists blocks in columns with a total', async () => {
    const lines = (await runText('inspect', '--user', user.id, '--metric', 'steps')).split('\n');
    assert.match(
      lines[0] ?? '',
      /^METRIC +DEVICE +FROM +TO +COUNT +MIN +MAX +SUM +UNIT +REVISION +BYTES +BYTES\/SAMPLE$/,
    );
    assert.match(
      lines[1] ?? '',
      /^steps +#1 apple_health\/wrist +2026-03-09T10:00:00Z +2026-03-09T10:05:00Z +1 +7 +7 +7 +count /,
    );
    assert.match(lines[3] ?? '', /^1 blocks, 1 samples, \d+ bytes: [\d.]+ per sample\.$/);
    const heart = await runText('inspect', '--user', user.id, '--metric', 'heart_rate');
    assert.match(heart, /\nheart_rate .* 2 +60 +120.5 +180.5 +bpm /);
    assert.match(lines[4] ?? '', /^#1 apple_health\/wrist is [0-9a-f-]{36}$/);
    assert.equal(await runText('inspect', '--user', user.id, '--date', '2026-03-01'), 'No sample blocks.\n');
  });

  it('inspect --samples prints samples, inspect --days prints a day', async () => {
    const samples = await runText('inspect', '--user', user.id, '--metric', 'heart_rate', '--samples');
    assert.match(samples, /^heart_rate of #1 apple_health\/wrist, 2 samples in \d+ bytes, revision 1\n {2}START /);
    assert.match(samples, /\n {2}2026-03-09T10:00:10Z +- +120.5 +bpm +\+01:00 +unknown\n/);
    const day = await runText('inspect', '--user', user.id, '--days', '--date', '2026-03-09', '--metric', 'steps');
    assert.match(
      day,
      /\nsteps +consolidated +7 +count, from #1 apple_health\/wrist\nsteps +#1 .* 7 +samples unknown count\n$/,
    );
    const [block] = await runJson('inspect', '--user', user.id, '--metric', 'steps', '--samples');
    assert.equal(block.samples[0].value, 7);
    assert.equal((await runJson('inspect', '--user', user.id, '--days', '--date', '2026-03-09'))[0].metric, 'steps');
  });

  it('replay says what was queued, and waits if asked', async () => {
    assert.match(await runText('replay', '--user', user.id, '--wait'), /^Queued a replay for 1 user\..*\nDone\.\n$/);
    assert.deepEqual(await runJson('replay', '--account', 'default', '--environment', 'live'), { queued_users: 1 });
    assert.deepEqual(await runJson('replay', '--all', '--wait'), { queued_users: 1, given_up: 0 });
    assert.match(await runText('replay', '--account', 'default', '--environment', 'sandbox'), /^Nothing to replay/);
  });

  it('mistakes are explained in one sentence', async () => {
    for (const [args, what] of [
      [['inspect', '--user', 'x'], /^User x was not found/],
      [['inspect', '--user', user.id, '--metric', 'x'], /- metric is not in the catalog/],
      [['inspect', '--user', user.id, '--days'], /^--days shows one day/],
      [
        ['inspect', '--user', user.id, '--days', '--date', '2026-03-09', '--samples'],
        /^--days can only be combined with/,
      ],
      [['replay'], /^Specify --user ID/],
      [['replay', '--all', '--user', user.id], /^Specify --user ID/],
      [['replay', '--account', 'default'], /^Specify both --account and --environment/],
    ] as const) {
      const { code, stdout, stderr } = await run(args);
      assert.deepEqual([code, stdout], [1, ''], args.join(' '));
      assert.match(stderr, what);
    }
  });
});

describe('without a service', () => {
  it('accounts and keys exit with 1 and explain what to do', async () => {
    for (const args of [
      ['accounts', 'list'],
      ['keys', 'create', '--environment', 'live'],
    ]) {
      const { code, stdout, stderr } = await run(args, { TRIBUTARY_DATA_DIR: emptyFolder });
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, /^No service is running on the data folder .*Start it with "npm start"/);
      assert.ok(!stderr.includes('    at '), 'no stack');
    }
  });

  it('openapi prints the document', async () => {
    const { code, stdout } = await run(['openapi'], {
      TRIBUTARY_DATA_DIR: emptyFolder,
      TRIBUTARY_PUBLIC_URL: 'https://health.example/',
    });
    assert.equal(code, 0);
    const document = JSON.parse(stdout);
    assert.equal(document.openapi, '3.1.0');
    assert.deepEqual(document.servers, [{ url: 'https://health.example' }]);
    const served = (await service.api(null).get('/v1/openapi.json')).body;
    assert.deepEqual(document.paths, served.paths);
  });

  it('openapi --form prints the document of one form', async () => {
    const { code, stdout } = await run(['openapi', '--form', '2'], { TRIBUTARY_DATA_DIR: emptyFolder });
    assert.equal(code, 0);
    const served = (await service.api(null).get('/v1/openapi.json?form=2')).body;
    assert.deepEqual(JSON.parse(stdout).paths, served.paths);
  });
});

describe('doctor', () => {
  type Report = { ok: boolean; checks: { check: string; ok: boolean; found: string; fix?: string }[] };

  it('exits with 0 on a running service', async () => {
    const report: Report = await runJson('doctor');
    assert.equal(report.ok, true);
    assert.ok(report.checks.some(({ check, found }) => check === 'service' && found.startsWith('running')));
    assert.ok(report.checks.some(({ check, found }) => check === 'readiness' && found.startsWith('ready')));
    assert.match(await runText('doctor'), /^All checks passed(, with \d+ warnings?)?\.$/m);
  });

  it('warns about a database role with more rights than it needs', async () => {
    const { db } = service.running.services;
    const [role] = await db.query<{ superuser: boolean }>(
      'select rolsuper as superuser from pg_roles where rolname = current_user',
    );
    assert.equal(role?.superuser, true, 'the role of the tests');
    const report: Report = await runJson('doctor');
    const found = report.checks.find(({ check }) => check === 'database role');
    assert.match(found?.found ?? '', /SUPERUSER/);
    assert.match(await runText('doctor'), /^warn {2}database role .*SUPERUSER/m);
  });

  it('compares the connections of the running processes with the limit', async () => {
    const report: Report = await runJson('doctor');
    const found = report.checks.find(({ check }) => check === 'connections');
    assert.match(
      found?.found ?? '',
      /^1 running process opens up to 34, other sessions use \d+; the server allows \d+$/,
    );
  });

  it('exits with 0 before the first start, and with 1 for a secret that others can read', async () => {
    const before = await run(['doctor', '--json'], { TRIBUTARY_DATA_DIR: join(emptyFolder, 'new') });
    assert.equal(before.code, 0, before.stdout);
    const file = join(service.config.dataDir, 'service.json');
    chmodSync(file, 0o644);
    const { code, stdout } = await run(['doctor', '--json']);
    chmodSync(file, 0o600);
    assert.equal(code, 1);
    const failed = (JSON.parse(stdout) as Report).checks.filter((check) => !check.ok);
    assert.deepEqual(
      failed.map(({ check }) => check),
      ['service.json'],
    );
    assert.match(failed[0]?.fix ?? '', /chmod 600/);
  });

  it('exits with 1 for a database that does not respond', async () => {
    const { code, stdout } = await run(['doctor', '--json'], {
      TRIBUTARY_DATA_DIR: emptyFolder,
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
    });
    assert.equal(code, 1);
    assert.ok((JSON.parse(stdout) as Report).checks.some(({ check, ok }) => check === 'database' && !ok));
  });

  it('exits with 1 and lists every problem of the configuration', async () => {
    const { code, stdout } = await run(['doctor', '--json'], { PORT: 'x', TRIBUTARY_TYPO: '1' });
    assert.equal(code, 1);
    assert.equal(
      (JSON.parse(stdout) as Report).checks.filter(({ check, ok }) => check === 'configuration' && !ok).length,
      2,
    );
  });
});

describe('mistakes', () => {
  it('bad commands and options exit with an error, the reason and a pointer to the help', async () => {
    for (const [args, what] of [
      [['nonsense'], /unknown command 'nonsense'/],
      [['keys', 'create'], /'--environment <environment>' not specified/],
      [['keys', 'create', '--environment', 'test'], /Allowed choices are live, sandbox/],
      [['accounts', 'create'], /'--name <name>' not specified/],
      [['accounts', 'set-billing', '--status', 'free'], /Allowed choices are active, past_due, suspended/],
      [['keys', 'list', '--verbose'], /unknown option '--verbose'/],
      [['serve', '--only', 'web'], /Allowed choices are api, worker/],
    ] as const) {
      const { code, stdout, stderr } = await run(args);
      assert.notEqual(code, 0, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, what);
      const known = args.filter((word) => /^(keys|create|accounts|set-billing|list|serve)$/.test(word));
      assert.ok(stderr.includes(`(${['tributary', ...known, '--help'].join(' ')} `), stderr);
    }
    const limit = await run(['accounts', 'set-limit', '--environment', 'live', '--users', 'many']);
    assert.deepEqual([limit.code, limit.stderr], [1, '--users must be a whole number or "none".\n']);
  });

  it('a bad configuration exits with 1 and lists all problems at once, without a stack', async () => {
    const { code, stderr } = await run(['serve'], { PORT: '99999', TRIBUTARY_DEFAULT_FORM: '3', TRIBUTARY_TYPO: '1' });
    assert.equal(code, 1);
    for (const name of ['PORT', 'TRIBUTARY_DEFAULT_FORM', 'TRIBUTARY_TYPO'])
      assert.match(stderr, new RegExp(`- ${name} `));
    assert.ok(!stderr.includes('    at '));
  });
});

describe('--help', () => {
  it('lists the commands and fits a terminal', async () => {
    const text = await runText('--help');
    for (const command of ['serve', 'migrate', 'doctor', 'openapi', 'accounts', 'keys', 'inspect', 'replay'])
      assert.match(text, new RegExp(`^  ${command}\\b`, 'm'));
    for (const args of [['keys'], ['accounts'], ['keys', 'create'], ['serve'], ['inspect'], ['replay']]) {
      const help = await runText(...args, '--help');
      assert.match(help, /^Usage: tributary /);
      for (const line of help.split('\n')) assert.ok(line.length <= 100, line);
    }
  });
});
