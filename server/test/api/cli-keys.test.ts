// Tests "tributary keys": rotation with an overlap, renaming, the list, and errors.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { runCli } from '../support/run-cli.ts';
import type { JsonBody } from '../support/test-api.ts';
import { startTestService } from '../support/test-service.ts';
import { ABSENT_ID, createAccount } from '../support/test-users.ts';

const service = await startTestService();
after(() => service.stop());
const { services } = service.running;

const keys = (...args: string[]) => runCli(service, ['keys', ...args]);

async function keysText(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await keys(...args);
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
}

const keysJson = async (...args: string[]): Promise<JsonBody> => JSON.parse(await keysText(...args, '--json'));
const statusOf = async (key: string) => (await service.api(key).get('/v1/users')).status;

/** An account, and the options that name its live environment. */
async function openAccount() {
  const { name, live, id } = await createAccount(service);
  const of = ['--account', name, '--environment', 'live'];
  const [key] = await keysJson('list', ...of);
  return { name, live, accountId: id, of, id: key.id as string };
}

describe('keys rotate --overlap', () => {
  it('keeps the old key for 24 hours by default, or for the given time', async () => {
    for (const [given, expectedMs] of [
      [[], DAY_MS],
      [['30m'], 30 * MINUTE_MS],
      [['36h'], 36 * HOUR_MS],
      [['7d'], 7 * DAY_MS],
    ] as const) {
      const { live, of } = await openAccount();
      const startMs = Date.now();
      const rotated = await keysJson('rotate', ...of, '--overlap', ...given);
      const lastsMs = Date.parse(rotated.replaced.ends_at) - startMs;
      assert.ok(lastsMs >= expectedMs && lastsMs < expectedMs + MINUTE_MS, `${given}: ${lastsMs} ms`);
      assert.deepEqual([await statusOf(live), await statusOf(rotated.key)], [200, 200]);
    }
  });

  it('ends the old key at once without the option, and with 0', async () => {
    for (const option of [[], ['--overlap', '0']]) {
      const { live, of } = await openAccount();
      assert.match(await keysText('rotate', ...of, ...option), / The previous key no longer works\.\n$/);
      assert.equal(await statusOf(live), 401);
    }
  });

  it('prints the key on its first line and until when the previous key works', async () => {
    const { live, id, of } = await openAccount();
    const text = await keysText('rotate', id, '--overlap', '2h');
    assert.equal(await statusOf(text.split('\n')[0] ?? ''), 200);
    const [old] = (await keysJson('list', ...of)).filter((key: JsonBody) => key.id === id);
    assert.ok(text.endsWith(` The previous key works until ${old.ends_at}.\n`), text);
    assert.equal(await statusOf(live), 200);
  });

  it('exits with 1 for an invalid duration, and changes nothing', async () => {
    const { of } = await openAccount();
    for (const duration of ['8d', '169h', '1', 'x', '1w', '-1h', '1.5h', '']) {
      const { code, stderr } = await keys('rotate', ...of, `--overlap=${duration}`);
      assert.equal(code, 1, duration);
      assert.match(stderr, /^--overlap must be a duration of at most 7 days, for example 30m, 24h or 7d/, duration);
    }
    assert.equal((await keysJson('list', ...of)).length, 1);
  });

  it('exits with 1 and the time for a key that has ended, and for one that was replaced', async () => {
    const { id } = await openAccount();
    const next = await keysJson('rotate', id, '--overlap');
    const replaced = await keys('rotate', id);
    assert.deepEqual([replaced.code, replaced.stdout], [1, '']);
    assert.equal(
      replaced.stderr,
      `This key was already replaced and ends on ${next.replaced.ends_at}. Use the key that replaced it.\n`,
    );
    await keysText('revoke', next.id);
    for (const command of [
      ['rotate', next.id],
      ['rename', next.id, 'x'],
    ]) {
      const { code, stderr } = await keys(...command);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^This key ended on \d{4}-\d\d-\d\dT\S+Z\. Use the key that replaced it, or create a new one\.\n$/,
      );
    }
  });

  it('exits with 1 without a key, with two ways to name it, and for an unknown one', async () => {
    const { id, of } = await openAccount();
    for (const args of [[], [id, '--environment', 'live'], [id, '--name', 'x']])
      assert.match((await keys('rotate', ...args)).stderr, /^Specify the key by its ID .* or by --environment/);
    assert.deepEqual(await keys('rotate', ABSENT_ID), { code: 1, stdout: '', stderr: 'API key not found.\n' });
    assert.equal((await keys('rotate', ...of, '--name', 'nobody')).stderr, 'API key not found.\n');
  });
});

describe('keys rename', () => {
  it('renames a key, and exits with 1 for a taken name', async () => {
    const { name, live, id, of } = await openAccount();
    assert.equal(
      await keysText('rename', id, 'web backend'),
      `The live key sk_live_…${live.slice(-4)} of account ${name} is now "web backend".\n`,
    );
    assert.equal((await keysJson('rename', id, 'web')).name, 'web');
    await keysText('create', ...of, '--name', 'other');
    const taken = await keys('rename', id, 'other');
    assert.equal(taken.code, 1);
    assert.match(taken.stderr, /^Another key of this environment has that name\./);
    const tooLong = await keys('rename', id, 'x'.repeat(101));
    assert.equal(tooLong.code, 1);
    assert.match(tooLong.stderr, /name/);
    assert.equal((await keys('rename', ABSENT_ID, 'x')).stderr, 'API key not found.\n');
  });
});

describe('keys list', () => {
  it('prints status, creator, end and last use, of one account and environment if asked', async () => {
    const { name, live, id, of } = await openAccount();
    const headers = { 'user-agent': 'acme-backend/2.3' };
    assert.equal((await service.api(live).get('/v1/users', { headers })).status, 200);
    await services.keyUses.flush();
    const { replaced } = await keysJson('rotate', id, '--overlap');
    const [title, current, old, ...more] = (await keysText('list', ...of)).trimEnd().split('\n');
    assert.match(
      title ?? '',
      /^ACCOUNT +ENVIRONMENT +NAME +KEY +STATUS +CREATED +BY +VALID UNTIL +LAST USED +AGENT +ID$/,
    );
    assert.match(current ?? '', / active +\S+ +cli +\d{4}-\d\d-\d\d +never +- +\S+$/);
    const end = `${replaced.ends_at.slice(0, 16)}Z`;
    assert.match(
      old ?? '',
      new RegExp(` ending +\\S+ +operator +${end} +\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\dZ +acme-backend/2.3 +${id}$`),
    );
    assert.deepEqual(more, []);
    assert.equal((await keysJson('list', '--account', name)).length, 3);
    assert.equal((await keysJson('list', '--account', name, '--environment', 'sandbox')).length, 1);
    assert.ok((await keysJson('list')).length > 3);
  });

  it('escapes control characters in names, so that a terminal does not run them', async () => {
    const { of, id } = await openAccount();
    const name = 'a\u009b2Jb';
    await keysText('rename', id, name);
    const text = await keysText('list', ...of);
    assert.ok(text.includes('a\\u009b2Jb') && !text.includes(name), text);
    assert.equal((await keysJson('list', ...of))[0].name, name);
  });

  it('records the CLI as the actor in the audit log', async () => {
    const { accountId, id } = await openAccount();
    const next = await keysJson('rotate', id, '--overlap');
    await keysText('rename', next.id, 'renamed');
    await keysText('revoke', id);
    const rows = await services.db.query<{ action: string }>(
      `select action from audit_log where account_id = $1 and actor = 'cli' order by action`,
      [accountId],
    );
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['api_key.created', 'api_key.renamed', 'api_key.revoked', 'api_key.rotated'],
    );
  });
});

describe('keys --help', () => {
  it('explains each command', async () => {
    assert.match(await keysText('--help'), /rename \[options\] <id> <name>/);
    const rotate = await keysText('rotate', '--help');
    assert.match(rotate, /--overlap \[duration\]/);
    assert.match(rotate, /stops working at once/);
  });
});
