// Tests provider credentials: the operator's, a customer's own, and the check whether they work.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { CLOUD_PROVIDER_IDS } from '../../src/domain/provider-ids.ts';
import type { AccountId } from '../../src/domain/tenancy.ts';
import { keepClient } from '../../src/features/clouds/provider-apps/index.ts';
import { sandboxApp } from '../../src/features/clouds/provider-apps/provider-app.ts';
import { checkSetup } from '../../src/features/operator/provider-setup/check-setup.ts';
import { visibilityForMembers } from '../../src/features/operator/provider-setup/manage-setup.ts';
import type { CloudProvider } from '../../src/providers/contract.ts';
import { findProvider } from '../../src/providers/registry.ts';
import { beginConnecting } from '../support/connect-account.ts';
import { runCli } from '../support/run-cli.ts';
import { startStubbedService } from '../support/stub-provider.ts';
import { openBrowser } from '../support/test-browser.ts';
import { createMember, memberApi } from '../support/test-members.ts';
import { createAccount, createUser } from '../support/test-users.ts';

const { service, stub } = await startStubbedService(
  { after },
  {
    environment: {
      TRIBUTARY_WHOOP_CLIENT_ID: 'operators-whoop',
      TRIBUTARY_WHOOP_CLIENT_SECRET: 'operators-secret',
    },
  },
);

const run = (args: readonly string[], input = '') => runCli(service, args, {}, input);
const configured = async (key: string) =>
  (await service.api(key).get('/v1/providers')).body.data.flatMap((each: { provider: string; configured: boolean }) =>
    each.configured ? [each.provider] : [],
  );

describe('tributary providers set, list, unset', () => {
  it('a customer’s own credentials take precedence over the operator’s, are used, and can be removed', async () => {
    const { name, live } = await createAccount(service);
    assert.deepEqual(await configured(live), ['whoop']);
    const set = ['providers', 'set', 'whoop', '--client-id', 'own-whoop', '--account', name];
    const made = await run(set, 'own-secret\n');
    assert.deepEqual([made.code, made.stderr], [0, '']);
    assert.match(made.stdout, new RegExp(`${service.url}/connect/callback/whoop`));
    await run(['providers', 'set', 'garmin', '--client-id', 'own-garmin', '--account', name], 'secret');
    assert.deepEqual(await configured(live), ['whoop', 'garmin']);
    const list = JSON.parse((await run(['providers', 'list', '--account', name, '--json'])).stdout);
    assert.deepEqual(
      list.map(({ provider, credentials, client_id }: Record<string, string>) => [provider, credentials, client_id]),
      CLOUD_PROVIDER_IDS.map((provider) =>
        provider === 'whoop' || provider === 'garmin'
          ? [provider, 'account', `own-${provider}`]
          : [provider, null, null],
      ),
    );
    assert.match((await run(['providers', 'list', '--account', name])).stdout, /^PROVIDER +CREDENTIALS +CLIENT ID/);

    const api = service.api(live);
    const { auth_url } = await beginConnecting(api, (await createUser(api)).id, 'whoop');
    const browser = openBrowser();
    const { location } = await browser.press(await browser.open(auth_url), 'allow');
    const authorize = new URL(location ?? '');
    assert.deepEqual(
      [authorize.origin, authorize.searchParams.get('client_id')],
      ['https://api.prod.whoop.com', 'own-whoop'],
    );

    assert.equal((await run(['providers', 'unset', 'whoop', '--account', name])).code, 0);
    assert.deepEqual(await configured(live), ['whoop', 'garmin'], 'the operator’s again');
    assert.match(
      (await run(['providers', 'unset', 'whoop', '--account', name])).stdout,
      /has no credentials of its own/,
    );
  });

  it('is in the audit log of the account, as is a new webhook secret', async () => {
    const { id, name } = await createAccount(service);
    await run(['providers', 'set', 'whoop', '--client-id', 'own-whoop', '--account', name], 'own-secret\n');
    await run(['providers', 'rotate-webhook-secret', 'whoop', '--account', name]);
    for (const _ of ['', 'none is left']) await run(['providers', 'unset', 'whoop', '--account', name]);
    const entries = await service.running.services.db.query<{ action: string; text: string }>(
      `select action, actor, subject, details::text as text from audit_log where account_id = $1 and action like 'provider.%' order by id`,
      [id],
    );
    const by = { actor: 'cli', subject: 'whoop' };
    assert.deepEqual(entries, [
      { action: 'provider.application_set', ...by, text: '{"client_id": "own-whoop"}' },
      { action: 'provider.webhook_secret_rotated', ...by, text: '{}' },
      { action: 'provider.application_removed', ...by, text: '{}' },
    ]);
  });

  it('a started connection shows a friendly page when its application is removed', async () => {
    const { name, live } = await createAccount(service);
    await run(['providers', 'set', 'oura', '--client-id', 'short', '--account', name], 'secret');
    const api = service.api(live);
    const user = await createUser(api);
    const { auth_url, id } = await beginConnecting(api, user.id, 'oura');
    await run(['providers', 'unset', 'oura', '--account', name]);
    const browser = openBrowser();
    const page = await browser.press(await browser.open(auth_url), 'allow');
    assert.match(page.text, /Oura was not connected/);
    const { body } = await api.get(`/v1/users/${user.id}/devices`);
    assert.deepEqual(
      body.data.map((device: { id: string; status: string }) => [device.id, device.status]),
      [[id, 'failed']],
    );
  });

  it('the secret is stored sealed, for its own context only', async () => {
    const [one, other] = [await createAccount(service), await createAccount(service)];
    for (const { name } of [one, other])
      await run(['providers', 'set', 'oura', '--client-id', 'id', '--account', name], 'very-secret-text');
    const db = service.running.services.db;
    const [row] = await db.query<{ text: string }>(
      `select encode(sealed_secret, 'escape') as text from provider_clients where account_id = $1`,
      [one.id],
    );
    assert.ok(!row?.text.includes('very-secret-text'));
    await db.query(
      `update provider_clients set sealed_secret = (select sealed_secret from provider_clients where account_id = $2) where account_id = $1`,
      [one.id, other.id],
    );
    assert.equal(
      (await service.api(one.live).get('/v1/providers')).status,
      500,
      'it cannot be opened in another context',
    );
  });

  it('asks for every credential of a provider that issues more than two, one per line', async () => {
    const { name, id } = await createAccount(service);
    const set = ['providers', 'set', 'suunto', '--client-id', 'own', '--account', name, '--json'];
    const { stdout, code } = await run(set, 'secret\nkey-of-subscription\nsigns-webhooks');
    assert.equal(code, 0, stdout);
    const { db, secrets } = service.running.services;
    const [row] = await db.query<{ extras: Buffer }>(
      'select sealed_extras as extras from provider_clients where account_id = $1',
      [id],
    );
    const opened = secrets.open(row?.extras ?? assert.fail('not stored'), `provider client extras ${id} suunto`);
    assert.deepEqual(JSON.parse(opened), {
      subscription_key: 'key-of-subscription',
      notification_secret: 'signs-webhooks',
    });
    assert.match((await run(set, 'secret\nkey-of-subscription\na\nb')).stderr, /Expected 3 lines/);
  });

  it('rejects an unknown provider or account, and an empty secret', async () => {
    const set = (provider: string, account: string, secret: string) =>
      run(['providers', 'set', provider, '--client-id', 'x', '--account', account], secret);
    for (const [provider, account, secret, says] of [
      ['nobody', 'default', 's', /Unknown provider/],
      ['oura', 'nobody', 's', /Account nobody was not found/],
      ['oura', 'default', '', /The client secret is empty/],
    ] as const) {
      const { code, stderr } = await set(provider, account, secret);
      assert.equal(code, 1);
      assert.match(stderr, says);
    }
  });
});

describe('tributary providers check', () => {
  const check = async (...args: string[]) => {
    const { code, stdout } = await run(['providers', 'check', ...args, '--environment', 'sandbox', '--json']);
    const report = JSON.parse(stdout);
    const outcomes = Object.fromEntries(
      report.checks.map((one: { name: string; outcome: string; message: string }) => [
        one.name,
        [one.outcome, one.message],
      ]),
    );
    return { code, outcomes };
  };

  it('0 when the token endpoint rejects the code but accepts the client', async () => {
    const { code, outcomes } = await check('oura');
    assert.equal(code, 0);
    assert.deepEqual(outcomes.credentials, ['ok', 'Oura accepts the client id and secret']);
    assert.equal(outcomes['authorize page'][0], 'ok');
    assert.match(outcomes['redirect URI'][1], /\/connect\/callback\/oura$/);
    assert.match(outcomes.webhooks[1], /subscriptions/);
    const text = await run(['providers', 'check', 'garmin', '--environment', 'sandbox']);
    assert.match(text.stdout, /^Garmin, account default, sandbox: as \S+\n {2}ok {7}redirect URI/);
  });

  it('1 when it rejects the client, is unavailable, or has no credentials', async () => {
    stub.answer('/oura/oauth/token', () => ({ status: 401, body: { error: 'invalid_client' } }));
    const unknown = await check('oura');
    assert.deepEqual([unknown.code, unknown.outcomes.credentials[0]], [1, 'failed']);
    assert.match(unknown.outcomes.credentials[1], /rejects the client id or secret/);
    stub.answer('/oura/oauth/token', () => ({ status: 418, body: { error: 'teapot' } }));
    const unclear = await check('oura');
    assert.deepEqual([unclear.code, unclear.outcomes.credentials[0]], [0, 'unclear']);
    stub.answer('/oura/oauth/token', null);
    stub.answer('/oura/oauth/authorize', () => ({ status: 503 }));
    assert.equal((await check('oura')).outcomes['authorize page'][0], 'failed');
    stub.answer('/oura/oauth/authorize', null);
    const none = await run(['providers', 'check', 'oura']);
    assert.equal(none.code, 1);
    assert.match(none.stdout, /failed {3}credentials {5}none; set them with "tributary providers set oura"/);
  });
});

describe('a check by a member', () => {
  const { services } = service.running;
  const whoop = findProvider('whoop') as CloudProvider;

  it('does not name the webhook URL of an application that accounts share, and 429 at once again', async () => {
    const { name } = await createAccount(service);
    const { cookie } = await createMember(service, name, 'developer');
    const check = (provider: string) =>
      memberApi(service, cookie).post(`/dashboard/api/sandbox/providers/${provider}/check`);
    for (const provider of CLOUD_PROVIDER_IDS) {
      const { status, text } = await check(provider);
      assert.equal(status, 200, text);
      assert.doesNotMatch(text, /provider-webhooks/);
    }
    const again = await check('oura');
    assert.deepEqual([again.status, again.body.error], [429, 'rate_limited']);
  });

  it('names the webhook URL only if the provider accepts the client secret', async () => {
    const app = sandboxApp(services, whoop);
    const messageOf = async () => (await checkSetup(services, app, 'confirmed')).at(-1)?.message ?? '';
    assert.match(await messageOf(), /provider-webhooks\/whoop/);
    stub.answer('/whoop/oauth/oauth2/token', () => ({ status: 401, body: { error: 'invalid_client' } }));
    assert.doesNotMatch(await messageOf(), /provider-webhooks/);
    stub.answer('/whoop/oauth/oauth2/token', null);
  });

  it('never names it if the client id is registered with other secrets, too', async () => {
    const register = async (clientId: string, clientSecret: string) => {
      const { id } = await createAccount(service);
      const app = await keepClient(services, id as AccountId, whoop, { clientId, clientSecret }, async () => undefined);
      return visibilityForMembers(services, app);
    };
    assert.equal(await register('shared-whoop', 'one'), 'confirmed');
    assert.equal(await register('shared-whoop', 'one'), 'confirmed');
    assert.equal(await register('shared-whoop', 'guessed'), 'never');
    assert.equal(await register('operators-whoop', 'guessed'), 'never');
  });
});

describe('tributary accounts set-logo and redirects', () => {
  it('change the pages that users see and where they are redirected', async () => {
    const { name } = await createAccount(service);
    const logo = await run(['accounts', 'set-logo', '--account', name, '--url', 'https://cdn.example/a.png']);
    assert.match(logo.stdout, /hosted pages show https:\/\/cdn\.example\/a\.png/);
    const bad = await run(['accounts', 'set-logo', '--account', name, '--url', 'http://cdn.example/a.png']);
    assert.equal(bad.code, 1);
    const added = await run(['accounts', 'redirects', 'add', 'myapp://', '--account', name]);
    assert.match(added.stdout, /redirected to https:\/\/, myapp:\/\/\./);
    const removed = await run(['accounts', 'redirects', 'remove', 'myapp://', '--account', name]);
    assert.match(removed.stdout, /redirected to https:\/\/\./);
  });
});
