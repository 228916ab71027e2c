// Secrets in URLs never reach our own logs, at any level: by the route table for every route, and by running the flows.
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

/** The route's URL with a value in each parameter, and those that are secret. */
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
  it('marks each parameter of its path as secret or plain', () => {
    assert.ok(rawRoutes.length >= 10);
    for (const route of rawRoutes) requireMarkedParams(route);
    assert.throws(() => requireMarkedParams({ path: '/new/:token', params: {} }), /\/new\/:token/);
    assert.throws(() => requireMarkedParams({ path: '/new', params: { token: 'secret' } }), /\/new/);
  });

  it('has no parameter that reads like a secret and is marked as plain', () => {
    const plain = rawRoutes.flatMap(({ params }) => Object.keys(params).filter((name) => params[name] === 'plain'));
    assert.deepEqual([...new Set(plain)].sort(), ['app', 'file', 'provider']);
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

  it('is still named by its pattern, with the parameters that are plain', () => {
    const redact = createUrlRedactor(rawRoutes);
    for (const { path } of rawRoutes) assert.equal(redact(`"route":"${path}"`), `"route":"${path}"`);
    assert.equal(redact('/provider-webhooks/oura/a1/xyz'), '/provider-webhooks/oura/a1/[redacted]');
    assert.equal(redact('/connect/callback/oura?code=1'), '/connect/callback/oura?[redacted]');
    assert.equal(redact('/invitations/xyz/connect'), '/invitations/[redacted]/connect');
  });
});

describe('tokens', () => {
  it('are struck out of any text', () => {
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
    for (const token of tokens) log.warn({ reason: `${token} is refused` }, `no ${token}`);
    for (const token of tokens) assert.ok(!lines.join('').includes(token.slice(-30)), token);
    assert.equal(lines.length, tokens.length);
  });
});

describe('the flows, with the log at trace', async () => {
  const [said, logLines]: [string[], string[]] = [[], []];
  const service = await startTestService({ printedLines: said, logLines });
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

  it('invitation and privacy portal, also broken and used up', async () => {
    const { link, ownPage, id } = await createRosterSide(service.api(account.live), said).join(newAddress());
    for (const url of [
      link,
      `${link}/connect`,
      `${link}/nothing`,
      ownPage,
      `${ownPage}/nothing`,
      `${ownPage}x`,
      `${ownPage}%E0`,
    ])
      await fetch(keep(url), { redirect: 'manual' });
    await submitForm(ownPage, { member: id, decision: 'export' });
    await submitForm(ownPage, { decision: 'replace_link' });
    await submitForm(ownPage, { decision: 'send_link' });
    await fetch(link, { method: 'DELETE' });
    await isLogged('/invitations/:token');
    await isLogged('/my-data/:token');
  });

  it('a connection, over the page of the provider and back', async () => {
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

  it('webhooks of providers, with secrets that are wrong, too long or badly written', async () => {
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

  it('a fault of ours', async () => {
    const { db } = service.running.services;
    const { ownPage } = await createRosterSide(service.api(account.live), said).invite(newAddress());
    await db.query('alter table roster_people rename to roster_people_away');
    assert.equal((await fetch(keep(ownPage))).status, 500);
    await db.query('alter table roster_people_away rename to roster_people');
    assert.ok(logLines.some((line) => line.includes('"level":"error"') && line.includes('/my-data/:token')));
  });

  it('leave none of these secrets in the log', () => {
    assert.ok(secrets.size > 10);
    const text = logLines.join('');
    for (const secret of secrets) assert.ok(!text.includes(secret), secret);
    for (const line of said)
      for (const [token] of line.matchAll(/\b(?:inv|my)_\w{30,}/g)) assert.ok(!text.includes(token));
  });
});
