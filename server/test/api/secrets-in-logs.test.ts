// Secrets in URLs never reach our logs, at any level: checked for every route of the table, and by running the flows.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { createUrlRedactor, requireMarkedParams } from '../../src/platform/http/redact-urls.ts';
import { publicRawRoutes, workerRawRoutes } from '../../src/routes.ts';
import { createServiceLogger } from '../../src/service-log.ts';
import { beginConnecting } from '../support/connect-account.ts';
import { sendBytes } from '../support/raw-http.ts';
import { openBrowser } from '../support/test-browser.ts';
import { submitForm } from '../support/test-pages.ts';
import { createRosterSide, newAddress } from '../support/test-roster.ts';
import { startTestService } from '../support/test-service.ts';
import { createAccount, createUser } from '../support/test-users.ts';
import { waitUntil } from '../support/wait-until.ts';

const newSecret = () => randomBytes(32).toString('base64url');
const rawRoutes = [...new Set([...publicRawRoutes, ...workerRawRoutes])];

/** The route's URL with a value in each parameter, and the secret ones. */
function fillIn({ path, params }: (typeof rawRoutes)[number]) {
  const secrets: string[] = [newSecret()];
  const url = path
    .replace(/:(\w+)/g, (_, name: string) => {
      if (params[name] === 'plain') return `plain-${name}`;
      secrets.push(newSecret());
      return secrets.at(-1) ?? '';
    })
    .replace('*', 'provider/authorize');
  return {
    url: path === '/' ? '/' : `${url}?code=${secrets[0]}&state=${secrets[0]}`,
    secrets: path === '/' ? [] : secrets,
  };
}

describe('every raw route', () => {
  it('marks each path parameter as secret or plain', () => {
    assert.ok(rawRoutes.length >= 10);
    for (const route of rawRoutes) requireMarkedParams(route);
    assert.throws(() => requireMarkedParams({ path: '/new/:token', params: {} }), /\/new\/:token/);
    assert.throws(() => requireMarkedParams({ path: '/new', params: { token: 'secret' } }), /\/new/);
  });

  it('marks no parameter as plain whose name suggests a secret', () => {
    const plain = rawRoutes.flatMap(({ params }) => Object.keys(params).filter((name) => params[name] === 'plain'));
    assert.deepEqual([...new Set(plain)].sort(), ['app', 'file', 'name', 'provider']);
    const secret = rawRoutes.filter(({ params }) => Object.values(params).includes('secret'));
    assert.ok(secret.length >= 7);
  });

  it('is logged without its secrets: in messages, fields, errors and their causes, at every level', () => {
    for (const route of rawRoutes) {
      const { url, secrets } = fillIn(route);
      const lines: string[] = [];
      const log = createServiceLogger('trace', { write: (line) => void lines.push(line) });
      for (const address of [url, `https://health.example.org/base${url}`, `${url.split('?')[0]}/more`]) {
        log.trace({}, `asked for ${address}.`);
        log.debug({ url: address, nested: { list: [address] } }, 'x');
        log.error({ err: new Error(`"${address}" failed`, { cause: new Error(address) }) }, 'x');
      }
      const text = lines.join('');
      assert.equal(lines.length, 9);
      for (const secret of secrets) assert.ok(!text.includes(secret), `${route.path}: ${text}`);
      for (const line of lines) JSON.parse(line);
    }
  });

  it('is still logged by its pattern, with the plain parameters', () => {
    const redact = createUrlRedactor(rawRoutes);
    for (const { path } of rawRoutes) assert.equal(redact(`"route":"${path}"`), `"route":"${path}"`);
    assert.equal(redact('/provider-webhooks/oura/a1/xyz'), '/provider-webhooks/oura/a1/[redacted]');
    assert.equal(redact('/connect/callback/oura?code=1'), '/connect/callback/oura?[redacted]');
    assert.equal(redact('/invitations/xyz/connect'), '/invitations/[redacted]/connect');
  });
});

describe('tokens', () => {
  it('are redacted in any text', () => {
    const letters = 'a1B2'.repeat(13);
    const jwt = `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxMjM0In0.${newSecret()}`;
    const tokens = [
      `sk_live_${letters}`,
      `inv_${letters}`,
      `my_${letters}`,
      `mt_${letters}`,
      `whsec_${newSecret()}`,
      jwt,
    ];
    const lines: string[] = [];
    const log = createServiceLogger('trace', { write: (line) => void lines.push(line) });
    for (const token of tokens) log.warn({ reason: `${token} is rejected` }, `no ${token}`);
    for (const token of tokens) assert.ok(!lines.join('').includes(token.slice(-30)), token);
    assert.equal(lines.length, tokens.length);
  });
});

describe('the flows, with the log at trace', async () => {
  const [printed, logLines]: [string[], string[]] = [[], []];
  const service = await startTestService({ printedLines: printed, logLines });
  after(() => service.stop());
  const account = await createAccount(service);
  const secrets = new Set<string>();
  const keep = (url: string) => {
    const { pathname, search } = new URL(url);
    for (const part of [...pathname.split('/'), ...search.split(/[?&=]/)]) if (part.length > 30) secrets.add(part);
    return url;
  };
  const isLogged = (route: string) =>
    waitUntil(`a request to ${route} in the log`, () => logLines.some((line) => line.includes(`"route":"${route}"`)));

  it('invitation and privacy portal, also malformed and used links', async () => {
    const { link, portalLink, id } = await createRosterSide(service.api(account.live), printed).join(newAddress());
    for (const url of [
      link,
      `${link}/connect`,
      `${link}/nothing`,
      portalLink,
      `${portalLink}/nothing`,
      `${portalLink}x`,
      `${portalLink}%E0`,
    ])
      await fetch(keep(url), { redirect: 'manual' });
    await submitForm(portalLink, { member: id, decision: 'export' });
    await submitForm(portalLink, { decision: 'replace_link' });
    await submitForm(portalLink, { decision: 'send_link' });
    await fetch(link, { method: 'DELETE' });
    await isLogged('/invitations/:token');
    await isLogged('/my-data/:token');
  });

  it('a connection, including the provider’s page and the redirect back', async () => {
    const user = await createUser(service.api(account.sandbox));
    const { auth_url } = await beginConnecting(service.api(account.sandbox), user.id, 'oura');
    const browser = openBrowser();
    const sent = await browser.press(await browser.open(keep(auth_url)), 'allow');
    const agreed = await browser.press(await browser.open(keep(sent.location ?? '')), 'allow');
    const landed = await browser.open(keep(agreed.location ?? ''));
    assert.equal(landed.status, 200, landed.text);
    await browser.open(agreed.location ?? ''); // used up
    await fetch(keep(`${service.url}/connect/callback/oura?code=${newSecret()}&state=${newSecret()}`));
    await isLogged('/connect/:secret');
    await isLogged('/connect/callback/:provider');
  });

  it('webhooks of providers, with secrets that are wrong, too long or malformed', async () => {
    for (const path of [newSecret(), `${newSecret()}/more`, newSecret().repeat(60), `${newSecret()}%E0`])
      await fetch(keep(`${service.url}/provider-webhooks/oura/${crypto.randomUUID()}/${path}`), {
        method: 'POST',
        body: '{}',
      });
    const broken = `/provider-webhooks/oura/x/${newSecret()}`;
    keep(`${service.url}${broken}`);
    assert.match(await sendBytes(service.url, `POST ${broken} HTTP/9.9\r\n\r\n`), /^HTTP\/1\.1 400 /);
    await isLogged('/provider-webhooks/:provider/:app/:secret');
  });

  it('an internal error', async () => {
    const { db } = service.running.services;
    const { portalLink } = await createRosterSide(service.api(account.live), printed).invite(newAddress());
    await db.query('alter table roster_people rename to roster_people_away');
    assert.equal((await fetch(keep(portalLink))).status, 500);
    await db.query('alter table roster_people_away rename to roster_people');
    assert.ok(logLines.some((line) => line.includes('"level":"error"') && line.includes('/my-data/:token')));
  });

  it('log none of these secrets', () => {
    assert.ok(secrets.size > 10);
    const text = logLines.join('');
    for (const secret of secrets) assert.ok(!text.includes(secret), secret);
    for (const line of printed)
      for (const [token] of line.matchAll(/\b(?:inv|my)_\w{30,}/g)) assert.ok(!text.includes(token));
  });
});
