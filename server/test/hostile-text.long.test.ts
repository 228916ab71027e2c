// Calls every route with text that a database or a parser cannot process: no request may end in a 5xx.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { after, describe, it } from 'node:test';
import { dialectOf, type Route } from '../src/platform/http/route.ts';
import { dashboardRoutes, operatorRoutes, publicRawRoutes, publicRoutes } from '../src/routes.ts';
import { beginConnecting } from './support/connect-account.ts';
import { callRaw } from './support/raw-http.ts';
import { sampleValue } from './support/sample-value.ts';
import { createMember } from './support/test-members.ts';
import { startPhone } from './support/test-phone.ts';
import { createRosterSide, newAddress } from './support/test-roster.ts';
import { startTestService } from './support/test-service.ts';
import { createSandboxUser, createUser } from './support/test-users.ts';

const LONG = 2_000; // within the router's limit for one parameter
const TOO_LONG = 5_000;
/** Percent-encoded, for paths and queries. */
const HOSTILE_PARTS = [
  '%00',
  'a%00b',
  '0190a000-0000-7000-8000-00000000000%00',
  '%FF%FE',
  '%C3%28',
  '%ED%A0%80',
  '%',
  '%2E%2E%2F',
  '%0D%0A',
  'x'.repeat(LONG),
  'x'.repeat(TOO_LONG),
  '%F0%9F%98%80',
  '99999999999999999999',
  '-1',
  '%27%5C%3A*%26%7C%21%28%29',
];
const HOSTILE_TEXTS = [
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '',
  'x'.repeat(TOO_LONG),
  '99999999999999999999',
  '\u{1F600}',
  "'\\:*&|!()",
];

const printedLines: string[] = [];
const service = await startTestService({ printedLines });
const agent = new Agent({ keepAlive: true });
after(async () => {
  agent.destroy();
  await service.stop();
});
const { live, sandbox } = service.keys;

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const isOfOperator = (route: Route) => route.access.to === 'operator';
const isOfMember = ({ path }: Route) => path.startsWith('/dashboard/');
const phone = await startPhone(service, (await createUser(service.api())).id);

type Call = { readonly path: string; readonly query?: string; readonly body?: unknown };

let session: Promise<Record<string, string>> | null = null;

async function openSession(): Promise<Record<string, string>> {
  const { cookie } = await createMember(service, 'default', 'owner');
  return { cookie, origin: service.url, 'x-tributary': 'dashboard' };
}

async function send(route: Route, call: Call): Promise<void> {
  if (!isOfMember(route)) return check(route, call, await request(route, call, { authorization: bearerFor(route) }));
  session ??= openSession();
  const used = session;
  const answer = await request(route, call, await used);
  if (answer.status !== 401 && answer.status !== 403) return check(route, call, answer);
  if (session === used) session = null; // a call may have ended it, or removed its member
  check(route, call, await request(route, call, await openSession()));
}

function bearerFor({ access }: Route): string {
  const { to } = access;
  return `Bearer ${to === 'operator' ? service.operatorToken : to === 'sdk_session' ? phone.accessToken : live}`;
}

function request(
  route: Route,
  { path, query = '', body }: Call,
  credential: Record<string, string>,
): ReturnType<typeof callRaw> {
  const base = isOfOperator(route) ? 'http://localhost' : service.url;
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const own = dialectOf(route, 1).headers.map((name) => [name, randomUUID()]);
  return callRaw(`${base}${path}${query === '' ? '' : `?${query}`}`, {
    method: route.method,
    agent,
    ...(isOfOperator(route) && { socketPath: service.running.operatorSocket ?? assert.fail('no operator API') }),
    headers: {
      ...credential,
      ...Object.fromEntries(own),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
    },
    ...(payload !== undefined && { body: payload }),
  });
}

type Answer = Pick<Awaited<ReturnType<typeof callRaw>>, 'status' | 'text'>;

function check({ method }: Route, { path, query = '', body }: Call, { status, text }: Answer): void {
  const sent = body === undefined ? '' : JSON.stringify(body).slice(0, 300);
  const what = `${method} ${path.slice(0, 200)}?${query.slice(0, 200)} ${sent}`;
  assert.ok(status >= 200 && status < 500, `${what}: ${status} ${text}`);
}

/** At once, like calls of many clients. */
async function sendAll(route: Route, all: readonly Call[]): Promise<void> {
  await Promise.all(all.map((call) => send(route, call)));
  calls += all.length;
}

const bodyOf = (route: Route, userId: string) => {
  const { body } = dialectOf(route, 1);
  return body === null ? {} : { body: sampleValue(body, { user_id: userId }) };
};
const fill = (path: string, userId: string, hostile: { name: string; part: string } | null = null) =>
  path.replace(/:(\w+)/g, (_, name: string) => {
    if (name === hostile?.name) return hostile.part;
    if (name === 'environment') return 'live';
    return name === 'user_id' ? userId : randomUUID();
  });

let calls = 0;
const routes = [...publicRoutes, ...operatorRoutes, ...dashboardRoutes];
const forms = [1, 2] as const;
const isReplacingKeys = ({ path }: Route) => path.includes('master-key') || path === '/admin/keys/rotate';

for (const route of routes) {
  describe(nameOf(route), () => {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    if (names.length > 0)
      it('below 500 for every hostile path parameter', async () => {
        const { id } = await createUser(service.api());
        for (const name of names)
          await sendAll(
            route,
            HOSTILE_PARTS.map((part) => ({ path: fill(route.path, id, { name, part }), ...bodyOf(route, id) })),
          );
      });

    it('below 500 for every hostile query parameter', async () => {
      const { id } = await createUser(service.api());
      for (const form of forms) {
        const { query } = dialectOf(route, form);
        const required = query ? (sampleValue(query, { metrics: 'steps', metric: 'steps' }) as object) : {};
        for (const name of Object.keys(query?.properties ?? { unknown: null })) {
          const rest = Object.entries(required).filter(([other]) => other !== name);
          const text = [...rest.map(([other, value]) => `${other}=${encodeURIComponent(String(value))}`)];
          // Parameters of one form are rejected with a body of the other, so this sends only the query.
          const queries = HOSTILE_PARTS.map((part) => [...text, `${name}=${part}`].join('&'));
          await sendAll(
            route,
            queries.map((given) => ({ path: fill(route.path, id), query: given })),
          );
        }
      }
    });

    if (isReplacingKeys(route)) return;
    for (const form of forms) {
      const { body } = dialectOf(route, form);
      if (body === null || (form === 2 && 'both' in route.dialects)) continue;
      it(`below 500 for hostile text in every field of its body of form ${form}`, async () => {
        const { id } = await createUser(service.api());
        const whole = fullValue(body, { user_id: id, timezone: 'Europe/Berlin', upload_id: null });
        const paths = listTexts(whole);
        assert.ok(paths.length > 0 || !JSON.stringify(body).includes('"string"'), 'a body with text has paths to it');
        for (const path of paths) {
          const bodies = HOSTILE_TEXTS.flatMap((text) => {
            const changed = replaceAt(whole, path, text) as Record<string, unknown>;
            if ('upload_id' in changed && path[0] !== 'upload_id') changed.upload_id = randomUUID();
            return [changed, renameAt(whole, path, text)];
          });
          await sendAll(
            route,
            bodies.map((body) => ({ path: fill(route.path, id), body })),
          );
        }
      });
    }
  });
}

describe('raw routes', () => {
  const FIELDS = [
    'decision',
    'member',
    'provider',
    'account',
    'state',
    'code',
    'error',
    'scope',
    'redirect_uri',
    'client_id',
  ];

  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

  /** Until the dashboard is built, its pages say so with 503. */
  const isServed = (path: string, status: number) => status < 500 || (path.startsWith('/dashboard') && status === 503);

  async function attack(base: string, method: string): Promise<void> {
    const { pathname } = new URL(base);
    for (const name of FIELDS) {
      const queries = HOSTILE_PARTS.map((part) => `${name}=${part}`);
      const forms = queries.map((body) => ({ url: base, body, headers: FORM }));
      const sent: { url: string; body?: string; headers?: typeof FORM }[] = [
        ...queries.map((query) => ({ url: `${base}?${query}` })),
        ...(method === 'GET' ? [] : forms),
      ];
      await Promise.all(
        sent.map(async ({ url, ...rest }) => {
          const { status } = await callRaw(url, { method, agent, ...rest });
          const what = `${method} ${url.slice(0, 200)} ${rest.body?.slice(0, 80) ?? ''}`;
          assert.ok(isServed(pathname, status), `${what}: ${status}`);
        }),
      );
      calls += sent.length;
    }
  }

  for (const { methods, path } of publicRawRoutes)
    for (const method of methods)
      it(`${method} ${path}: below 500 for every hostile path parameter, query and form`, async () => {
        const names = [...path.matchAll(/:(\w+)|\*$/g)].map(([whole, name = whole]) => name);
        const fillRaw = (name: string, part: string) =>
          path.replace(/:(\w+)|\*$/g, (whole, other = whole) => {
            if (other === name) return part;
            return other === 'provider' ? 'oura' : other === 'app' ? 'sandbox' : other === '*' ? 'oura/x' : 'x';
          });
        for (const name of names)
          for (const part of HOSTILE_PARTS) {
            const answer = await callRaw(service.url + fillRaw(name, part), { method, agent });
            assert.ok(
              isServed(path, answer.status),
              `${method} ${fillRaw(name, part).slice(0, 200)}: ${answer.status}`,
            );
            calls += 1;
          }
        await attack(service.url + fillRaw('', ''), method);
      });

  it('404 for a provider webhook to an application with an impossible id', async () => {
    for (const app of ['%00', 'a%00b', 'x', '0'.repeat(16), randomUUID(), '..'])
      assert.equal(
        (await callRaw(`${service.url}/provider-webhooks/oura/${app}/x`, { method: 'POST', body: '{}' })).status,
        404,
      );
    assert.equal((await callRaw(`${service.url}/provider-webhooks/%00/sandbox/x`, { method: 'POST' })).status, 404);
  });

  it('below 500 on pages that a valid secret opens', async () => {
    const { link, portalLink } = await createRosterSide(service.api(), printedLines).join(newAddress());
    const { id } = await createSandboxUser(service);
    const { auth_url } = await beginConnecting(service.api(sandbox), id, 'oura');
    const opened = [link, portalLink, `${link}/connect`, auth_url, `${service.url}/connect/callback/oura`];
    for (const url of opened) {
      assert.match(url, /^http/);
      for (const method of ['GET', 'POST']) await attack(url, method);
    }
  });
});

it('made thousands of calls', (t) => {
  t.diagnostic(`${calls} calls`);
  assert.ok(calls > 5_000, `only ${calls}`);
});

type JsonSchema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: unknown;
  readonly patternProperties?: Readonly<Record<string, unknown>>;
};

/** With every field, including optional ones. */
function fullValue(schema: object, known: Readonly<Record<string, unknown>>): unknown {
  const { type, items, properties, additionalProperties, patternProperties } = schema as JsonSchema;
  const kind = typeof type === 'object' ? type[0] : type;
  if (kind === 'array') return [fullValue(items ?? {}, known)];
  if (kind !== 'object') return sampleValue(schema);
  const entries = Object.entries(properties ?? {}).map(([name, inner]) => [
    name,
    known[name] ?? fullValue(inner, known),
  ]);
  const maps = [additionalProperties, ...Object.values(patternProperties ?? {})];
  for (const values of maps)
    if (typeof values === 'object' && values !== null) entries.push(['some_key', fullValue(values, known)]);
  return Object.fromEntries(entries);
}

type Path = readonly (string | number)[];

function listTexts(value: unknown, path: Path = []): Path[] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    listTexts(inner, [...path, Array.isArray(value) ? Number(name) : name]),
  );
}

function replaceAt(value: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return text;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const slot = copy as Record<string | number, unknown>;
  slot[step] = replaceAt(slot[step], rest, text);
  return copy;
}

/** Replaces the name of the field with the text. */
function renameAt(value: unknown, [step, ...rest]: Path, text: string): unknown {
  if (step === undefined) return value;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? renameAt(item, rest, text) : item));
  const entries = Object.entries(value as object).map(([name, inner]): [string, unknown] => {
    if (name !== step) return [name, inner];
    return rest.length === 0 ? [text, inner] : [name, renameAt(inner, rest, text)];
  });
  return Object.fromEntries(entries);
}
