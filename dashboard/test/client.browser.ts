// The built @tributary/client in Chromium, in a page of another origin than the service, with a user token.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { createMovableClock } from '../../server/test/support/test-clock.ts';
import { startPhone } from '../../server/test/support/test-phone.ts';
import { startTestService, type TestService } from '../../server/test/support/test-service.ts';
import { createUser } from '../../server/test/support/test-users.ts';
import { waitUntil } from '../../server/test/support/wait-until.ts';
import { startClientPage } from './support/start-client-page.ts';
import { launchChromium, WAIT_LIMIT_MS } from './support/start-dashboard.ts';

const HOUR_MS = 3_600_000;
const clock = createMovableClock(new Date('2026-03-31T10:00:00Z'));

let service: TestService;
let silent: Awaited<ReturnType<typeof startSilentServer>>;
let app: Awaited<ReturnType<typeof startClientPage>>;
let browser: Browser;
let page: Page;
let userId: string;
let otherId: string;
const faults: string[] = [];

before(async () => {
  [service, app, browser, silent] = await Promise.all([
    startTestService({ clock }),
    startClientPage(),
    launchChromium(),
    startSilentServer(),
  ]);
  userId = (await createUser(service.api(), { timezone: 'Europe/Berlin' })).id;
  otherId = (await createUser(service.api())).id;
  const workouts = [20, 21, 22, 23, 24].map((day) => ({
    id: `run-${day}`,
    sport_type: 'running',
    start: `2026-03-${day}T17:00:00Z`,
    end: `2026-03-${day}T17:30:00Z`,
  }));
  await (await startPhone(service, userId)).upload({ workouts });
  const context = await browser.newContext();
  context.setDefaultTimeout(WAIT_LIMIT_MS);
  page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(app.origin);
  await page.waitForFunction('globalThis.library !== undefined');
});
after(async () => {
  await browser?.close();
  await app?.stop();
  await silent?.stop();
  await service?.stop();
  assert.deepEqual(faults, []);
});

/** Accepts requests of any origin, and never answers them. */
async function startSilentServer() {
  const seen = { requests: 0, closed: 0 };
  const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'api-form, authorization' };
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') return response.writeHead(204, headers).end();
    seen.requests += 1;
    response.on('close', () => {
      seen.closed += 1;
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    seen,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function issueToken(): Promise<string> {
  const { status, body, text } = await service.api().post('/v1/auth/user-token', { user_id: userId });
  assert.equal(status, 200, text);
  return body.token;
}

type Given = Readonly<Record<string, unknown>>;

/** Runs the body of an async function in the page. `given` are its constants; `open(options)` makes a client. */
function run(script: string, given: Given): Promise<unknown> {
  const constants = Object.entries({ baseUrl: service.url, userId, otherId, ...given }).map(
    ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
  );
  return page.evaluate(`(async () => {
    ${constants.join('\n')}
    const { Tributary } = library;
    const open = (options) => new Tributary({ baseUrl, form: 2, ...options });
    const errorOf = (call) => call.then(() => null, (error) => error);
    ${script}
  })()`);
}

describe('the client in a browser', () => {
  it('reads with a user token, in both forms', async () => {
    const read = await run(
      `const one = await open({ token, form: 1 }).workouts.list(userId, { start_date: '2026-03-22', end_date: '2026-03-31' });
       const { dates } = await open({ token }).daily.get(userId, { types: ['steps'] });
       return [one.data.length, dates.length];`,
      { token: await issueToken() },
    );
    assert.deepEqual(read, [3, 30]);
  });

  it('iterates over the pages of a cursor', async () => {
    const starts = await run(
      `const starts = [];
       for await (const { start_time } of open({ token }).workouts.iterate(userId, { limit: 2, from_date: '2026-03-01' }))
         starts.push(start_time.slice(0, 10));
       return starts;`,
      { token: await issueToken() },
    );
    assert.deepEqual(starts, ['2026-03-24', '2026-03-23', '2026-03-22', '2026-03-21', '2026-03-20']);
  });

  it('throws the class of the error, with the id of the request', async () => {
    const error = await run(
      `const error = await errorOf(open({ token }).daily.get(otherId, { types: ['steps'] }));
       return [error instanceof library.ApiError, error.name, error.status, error.code, typeof error.requestId];`,
      { token: await issueToken() },
    );
    assert.deepEqual(error, [true, 'WrongUserError', 403, 'wrong_user', 'string']);
  });

  it('gets another token when one has expired', async () => {
    const expired = await issueToken();
    clock.advance(2 * HOUR_MS);
    const outcome = await run(
      `const left = [...tokens];
       const tributary = open({ token: async () => left.shift() });
       await tributary.scores.get(userId);
       return left.length;`,
      { tokens: [expired, await issueToken()] },
    );
    assert.equal(outcome, 0);
  });

  it('ends a call by its signal and by its time limit, and closes the connections', async () => {
    const { requests } = silent.seen;
    const aborting = run(
      `const stop = globalThis.stop = new AbortController();
       return String(await errorOf(open({ token }).users.get(userId, { signal: stop.signal })));`,
      { baseUrl: silent.url, token: 'any' },
    );
    await waitUntil('the request arrives', () => silent.seen.requests === requests + 1);
    await page.evaluate(`globalThis.stop.abort(new Error('enough'))`);
    assert.equal(await aborting, 'Error: enough');
    const late = await run(
      `const error = await errorOf(open({ token, timeoutMs: 300, maxRetries: 0 }).users.list());
       return [error instanceof library.TimeoutError, error instanceof library.ConnectionError, error.attempts];`,
      { baseUrl: silent.url, token: 'any' },
    );
    assert.deepEqual(late, [true, true, 1]);
    await waitUntil('the connections close', () => silent.seen.closed === silent.seen.requests);
  });

  it('reports a service that cannot be reached', async () => {
    const name = await run(`return (await errorOf(open({ token: 'any', maxRetries: 0 }).users.list())).name;`, {
      baseUrl: 'http://127.0.0.1:1',
    });
    assert.equal(name, 'ConnectionError');
  });
});
