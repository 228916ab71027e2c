// Consent and tokens of the simulator over HTTP, and attacks on them.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startSimulator } from '../../../test/support/start-simulator.ts';
import { createFrozenClock } from '../../../test/support/test-clock.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/time/durations.ts';

const BACK = 'https://app.example/callback?tenant=1';
const KEY = Buffer.alloc(32, 3);
const clock = createFrozenClock();
const simulator = await startSimulator({ redirectUris: [BACK], clock, key: KEY });
after(() => simulator.close());
const client = simulator.simulator.clientOf('oura');
const base = `${simulator.url}/oura`;

type Fields = Readonly<Record<string, string | undefined>>;

const fields = (all: Fields) =>
  new URLSearchParams(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
const authorize = (changed: Fields = {}) =>
  `${base}/oauth/authorize?${fields({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: BACK,
    scope: 'personal daily',
    state: 'of the test',
    ...changed,
  })}`;
const newCode = async () => (await simulator.consent(authorize())).get('code') ?? '';

async function askToken(changed: Fields, headers: Readonly<Record<string, string>> = {}) {
  const all = { client_id: client.clientId, client_secret: client.clientSecret, redirect_uri: BACK, ...changed };
  const response = await fetch(`${base}/oauth/token`, { method: 'POST', headers, body: fields(all) });
  const body = (await response.json()) as Record<string, string>;
  return { status: response.status, body };
}
const exchange = (code: string, changed: Fields = {}) =>
  askToken({ grant_type: 'authorization_code', code, ...changed });
const refresh = (token: string | undefined) => askToken({ grant_type: 'refresh_token', refresh_token: token });
const statusWith = async (token: string | undefined, url = base) =>
  (await fetch(`${url}/v2/usercollection/personal_info`, { headers: { authorization: `Bearer ${token}` } })).status;

describe('the consent page', () => {
  it('has two buttons, no script, and says that it does not belong to Oura', async () => {
    const response = await fetch(authorize());
    const page = await response.text();
    assert.equal(response.status, 200);
    assert.match(page, /<button[^>]*name="decision" value="allow"/);
    assert.match(page, /<button[^>]*name="decision" value="deny"/);
    assert.match(page, /This is not Oura\./);
    assert.doesNotMatch(page, /<script/i);
    // The redirect back may continue to an app's custom scheme.
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /form-action/);
  });

  it('returns a code and the state to the exact redirect URI', async () => {
    const back = await simulator.consent(authorize());
    assert.deepEqual(
      [back.get('tenant'), back.get('state'), back.get('scope')],
      ['1', 'of the test', 'personal daily'],
    );
    assert.ok(back.get('code'));
  });

  it('has a ticked box for each scope, and grants what is ticked', async () => {
    const page = await (await fetch(authorize())).text();
    const inputs = [...page.matchAll(/<input type="(\w+)" name="(\w+)" value="([^"]*)"([^>]*)>/g)];
    const sent = (isSent: (type: string, value: string) => boolean) => {
      const taken = inputs.filter(([, type = '', , value = '']) => isSent(type, value));
      return new URLSearchParams([['decision', 'allow'], ...taken.map(([, , name = '', value = '']) => [name, value])]);
    };
    const shared = async (form: URLSearchParams) => {
      const response = await fetch(authorize(), { method: 'POST', body: form, redirect: 'manual' });
      return new URL(response.headers.get('location') ?? '').searchParams.get('scope');
    };
    assert.deepEqual(
      inputs.map(([, type, , value, rest]) => [type, value, rest]),
      [
        ['hidden', 'true', ''],
        ['checkbox', 'personal', ' checked'],
        ['checkbox', 'daily', ' checked'],
      ],
    );
    assert.equal(await shared(sent(() => true)), 'personal daily');
    assert.equal(await shared(sent((type, value) => type === 'hidden' || value === 'daily')), 'daily');
    assert.equal(await shared(sent((type) => type === 'hidden')), '', 'nothing is ticked');
    assert.equal(await shared(fields({ decision: 'allow', scopes: 'chosen' })), 'personal daily');
    assert.equal(await shared(fields({ decision: 'allow', scope: 'daily' })), 'daily', 'named by a program');
  });

  it('lets only the same browser return as the previous user', async () => {
    const decide = (decision: string, cookie = '') =>
      fetch(authorize(), { method: 'POST', body: fields({ decision }), headers: { cookie }, redirect: 'manual' });
    const codeOf = (response: Response) =>
      new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const describeWho = async (response: Response) => {
      const { access_token } = (await exchange(codeOf(response))).body;
      const headers = { authorization: `Bearer ${access_token}` };
      return ((await (await fetch(`${base}/v2/usercollection/personal_info`, { headers })).json()) as { id: string })
        .id;
    };
    const first = await decide('allow');
    const [cookie = '', ...attributes] = (first.headers.get('set-cookie') ?? '').split('; ');
    assert.deepEqual(attributes, ['Path=/oura', 'Max-Age=7776000', 'HttpOnly', 'SameSite=Lax']);
    const isOffered = async (sent: string) =>
      (await (await fetch(authorize(), { headers: { cookie: sent } })).text()).includes('value="again"');
    assert.deepEqual(
      [await isOffered(cookie), await isOffered(`${cookie}x`), await isOffered('')],
      [true, false, false],
    );
    const who = await describeWho(first);
    assert.equal(await describeWho(await decide('again', cookie)), who);
    assert.notEqual(await describeWho(await decide('allow', cookie)), who, 'a new user on request');
    for (const planted of ['', `${cookie}x`]) assert.equal(codeOf(await decide('again', planted)), '');
  });

  it('reports a denial', async () => {
    const back = await simulator.consent(authorize(), { decision: 'deny' });
    assert.deepEqual([back.get('error'), back.get('state'), back.get('code')], ['access_denied', 'of the test', null]);
  });

  for (const [what, changed] of Object.entries({
    'another client': { client_id: 'someone' },
    'another redirect_uri': { redirect_uri: 'https://evil.example/callback' },
    'a redirect_uri with a suffix': { redirect_uri: `${BACK}&x=1` },
    'no redirect_uri': { redirect_uri: undefined },
  }))
    it(`does not redirect for ${what}`, async () => {
      const response = await fetch(authorize(changed), { redirect: 'manual' });
      assert.deepEqual([response.status, response.headers.get('location')], [400, null]);
    });

  for (const [error, changed] of Object.entries({
    unsupported_response_type: { response_type: 'token' },
    invalid_scope: { scope: 'daily everything' },
  }))
    it(`sends ${error} back`, async () => {
      const response = await fetch(authorize(changed), { redirect: 'manual' });
      const location = new URL(response.headers.get('location') ?? '');
      assert.deepEqual([response.status, location.searchParams.get('error')], [303, error]);
    });

  it('creates a new user each time', async () => {
    const ids = [];
    for (let attempt = 0; attempt < 2; attempt++) {
      const { body } = await exchange(await newCode());
      const response = await fetch(`${base}/v2/usercollection/personal_info`, {
        headers: { authorization: `Bearer ${body.access_token}` },
      });
      ids.push(((await response.json()) as { id: string }).id);
    }
    assert.notEqual(ids[0], ids[1]);
  });
});

describe('the token endpoint', () => {
  it('issues tokens for a code, with client credentials in body or header', async () => {
    const { status, body } = await exchange(await newCode());
    assert.deepEqual([status, body.token_type, body.expires_in], [200, 'bearer', 86_400]);
    assert.equal(await statusWith(body.access_token), 200);
    const authorization = `Basic ${Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64')}`;
    const unnamed = { client_id: undefined, client_secret: undefined };
    const code = await newCode();
    const byHeader = await askToken({ grant_type: 'authorization_code', code, ...unnamed }, { authorization });
    assert.equal(byHeader.status, 200);
  });

  it('rejects a code that is used again, and revokes its tokens', async () => {
    const code = await newCode();
    const { body } = await exchange(code);
    const again = await exchange(code);
    assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
    assert.equal(await statusWith(body.access_token), 401);
    assert.equal((await refresh(body.refresh_token)).body.error, 'invalid_grant');
  });

  for (const [what, changed, expected] of [
    ['a wrong secret', { client_secret: 'x' }, [401, 'invalid_client']],
    ['another client', { client_id: 'someone' }, [401, 'invalid_client']],
    ['another redirect_uri', { redirect_uri: 'https://evil.example/callback' }, [400, 'invalid_grant']],
    ['no redirect_uri', { redirect_uri: undefined }, [400, 'invalid_grant']],
    ['no code', { code: undefined }, [400, 'invalid_request']],
    ['a made-up code', { code: 'e30.AAAA' }, [400, 'invalid_grant']],
    ['another grant', { grant_type: 'password' }, [400, 'unsupported_grant_type']],
  ] as const)
    it(`refuses ${what}`, async () => {
      const { status, body } = await exchange(await newCode(), changed);
      assert.deepEqual([status, body.error], expected);
    });

  it('rejects a code after ten minutes', async () => {
    const code = await newCode();
    clock.advance(10 * MINUTE_MS);
    assert.equal((await exchange(code)).body.error, 'invalid_grant');
  });

  it('rejects tokens of the wrong kind', async () => {
    const { body } = await exchange(await newCode());
    assert.equal((await exchange(body.refresh_token ?? '')).body.error, 'invalid_grant');
    assert.equal((await refresh(body.access_token)).body.error, 'invalid_grant');
    assert.equal(await statusWith(body.refresh_token), 401);
  });

  it('rejects a token that was tampered with', async () => {
    const { body } = await exchange(await newCode());
    const [payload = '', signature] = (body.access_token ?? '').split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const widened = Buffer.from(JSON.stringify({ ...claims, scopes: ['workout'] })).toString('base64url');
    assert.equal(await statusWith(`${widened}.${signature}`), 401);
  });

  it('rotates refresh tokens: rejects the previous one', async () => {
    const first = (await exchange(await newCode())).body;
    const second = await refresh(first.refresh_token);
    assert.equal(second.status, 200);
    assert.equal((await refresh(first.refresh_token)).body.error, 'invalid_grant');
    assert.equal((await refresh(second.body.refresh_token)).status, 200);
  });

  it('expires access tokens after a day', async () => {
    const { body } = await exchange(await newCode());
    clock.advance(86_400 * SECOND_MS - 1);
    assert.equal(await statusWith(body.access_token), 200);
    clock.advance(1);
    assert.equal(await statusWith(body.access_token), 401);
    assert.equal((await refresh(body.refresh_token)).status, 200);
  });

  it('ends a connection by revocation', async () => {
    const { body } = await exchange(await newCode());
    const url = `${base}/oauth/revoke?access_token=${body.access_token}`;
    assert.equal((await fetch(url, { method: 'POST' })).status, 200);
    assert.equal(await statusWith(body.access_token), 401);
    assert.equal((await refresh(body.refresh_token)).body.error, 'invalid_grant');
  });

  it('keeps tokens valid after a restart, for the same key only', async () => {
    const { body } = await exchange(await newCode());
    for (const [key, status] of [
      [KEY, 200],
      [Buffer.alloc(32, 4), 401],
    ] as const) {
      const other = await startSimulator({ clock, key });
      assert.equal(await statusWith(body.access_token, `${other.url}/oura`), status);
      await other.close();
    }
  });
});
