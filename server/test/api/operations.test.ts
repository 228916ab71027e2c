// Tests health, metrics and API documentation endpoints, which need no credential.

import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { SECOND_MS } from '../../src/domain/time/durations.ts';
import { EVENT_TYPES } from '../../src/features/notify/events/index.ts';
import { loadMigrations } from '../../src/platform/db/migrate.ts';
import { ERROR_CODES, wireCodeOf } from '../../src/platform/error-codes.ts';
import { listErrorCodes } from '../../src/platform/http/openapi.ts';
import { publicRoutes } from '../../src/routes.ts';
import { assertEvery } from '../support/assert-every.ts';
import { countQueries } from '../support/count-queries.ts';
import { findFreePort } from '../support/service-process.ts';
import { createApi, type JsonBody } from '../support/test-api.ts';
import { createFrozenClock } from '../support/test-clock.ts';
import { connectToDatabase, createTestDatabase } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';
import { waitUntil } from '../support/wait-until.ts';

const clock = createFrozenClock();
const service = await startTestService({ clock });
after(() => service.stop());
const api = service.api(null);

describe('health', () => {
  it('200 /healthz', async () => {
    const answer = await api.get('/healthz');
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { status: 'ok' });
  });

  it('200 /readyz lists its checks', async () => {
    const answer = await api.get('/readyz');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.body.status, 'ready');
    assert.equal(answer.body.checks.database.ok, true);
    assert.equal(answer.body.checks.migrations.applied, answer.body.checks.migrations.expected);
    assert.equal(answer.body.checks.jobs.ok, true);
  });

  it('503 /readyz while migrations are missing, then 200', async () => {
    const { db } = service.running.services;
    const [row] = await db.query<{ version: number }>(
      'delete from schema_migrations where version = (select max(version) from schema_migrations) returning *',
    );
    assert.equal((await api.get('/readyz')).status, 200, 'the result is cached for a second');
    clock.advance(SECOND_MS);
    const answer = await api.get('/readyz');
    assert.ok(row);
    await db.query('insert into schema_migrations select * from json_populate_record(null::schema_migrations, $1)', [
      JSON.stringify(row),
    ]);
    assert.equal(answer.status, 503);
    assert.equal(answer.body.status, 'unavailable');
    assert.equal(answer.body.checks.migrations.ok, false);
    clock.advance(SECOND_MS);
    assert.equal((await api.get('/readyz')).status, 200);
  });

  for (const role of ['api', 'worker'] as const)
    it(`200 /healthz and 503 /readyz of a process with the role ${role} while it migrates`, async (t) => {
      const database = await createTestDatabase();
      const db = connectToDatabase(database.url);
      const port = await findFreePort();
      const released = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const holding = db.transaction(async (tx) => {
        await tx.query('lock table accounts');
        held.resolve();
        await released.promise;
      });
      await held.promise;
      const migrations = loadMigrations();
      const sql = 'lock table accounts in share mode';
      const long = { version: migrations.length + 1, name: 'long', sql, checksum: 'long' };
      const started = startTestService({
        ...{ role, databaseUrl: database.url, migrations: [...migrations, long] },
        environment: { PORT: String(port) },
      });
      t.after(async () => {
        released.resolve();
        await holding;
        await (await started).stop();
        await db.close();
        await database.drop();
      });
      await waitUntil('the migration', async () => {
        const waiting = await db.query(`select 1 from pg_stat_activity where query = $1 and wait_event = 'relation'`, [
          sql,
        ]);
        return waiting.length > 0;
      });
      const migrating = createApi(`http://127.0.0.1:${port}`, null);
      assert.equal((await migrating.get('/healthz')).status, 200);
      assert.equal((await migrating.get('/readyz')).status, 503);
      released.resolve();
      await started;
      await waitUntil('its readiness', async () => (await migrating.get('/readyz')).status === 200);
    });

  it('200 /readyz: a thousand parallel probes cause one query', async () => {
    clock.advance(SECOND_MS);
    const { db } = service.running.services;
    const queries = await countQueries(db, async () => {
      const answers = await Promise.all(Array.from({ length: 1_000 }, () => fetch(`${service.url}/readyz`)));
      assertEvery(answers, ({ status }) => status === 200);
      for (const path of ['/readyz', '/metrics']) assert.equal((await fetch(service.url + path)).status, 200);
    });
    assert.deepEqual(queries.filter((text) => text.includes('schema_migrations')).length, 1);
  });

  it('200 /readyz reports degraded when jobs are late', async () => {
    const { db } = service.running.services;
    await db.query(`select graphile_worker.add_job('nobody_runs_this', run_at => now() - interval '1 hour')`);
    clock.advance(SECOND_MS);
    const answer = await api.get('/readyz');
    await db.query(`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.status, 'degraded');
    assert.ok(answer.body.checks.jobs.lag_seconds > 3_000);
  });

  it('200 /version', async () => {
    const { status, body } = await api.get('/version');
    assert.equal(status, 200);
    assert.equal(body.name, 'tributary');
    assert.equal(body.api, '1.0.0');
    assert.match(body.version, /^\d+\.\d+\.\d+/);
    assert.match(body.runtime, /^node v26\./);
  });

  it('200 /metrics in Prometheus format, by route pattern and never by id', async () => {
    const id = crypto.randomUUID();
    await service.api().get(`/v1/users/${id}`);
    const answer = await api.get('/metrics');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
    assert.match(answer.text, /^tributary_database_up 1$/m);
    assert.match(
      answer.text,
      /^tributary_http_request_seconds_count\{method="GET",route="\/v1\/users\/:user_id",status="404"\} \d+$/m,
    );
    assert.ok(!answer.text.includes(id));
    for (const line of answer.text.split('\n').filter(Boolean))
      assert.match(line, /^(# (HELP|TYPE) |[a-z_0-9]+(\{.*\})? [-+\d.eNaInf]+$)/);
  });
});

describe('documentation', () => {
  it('200 /docs loads only local files, under a strict policy', async () => {
    const page = await api.get('/docs');
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    const policy = page.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'(;|$)/);
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff');
    const files = [...page.text.matchAll(/\b(?:src|href|action)="([^"#]*)/g)].map(([, address = '']) => address);
    const others = new Set(files.filter((address) => address !== './dashboard' && address !== ''));
    for (const address of others) {
      assert.match(address, /^\.\/(docs(\/|$)|v1\/|favicon\.svg$)/, `${address} is external or not relative`);
      const answer = await fetch(`${service.url}/${address}`);
      assert.equal(answer.status, 200, address);
      assert.ok((await answer.text()).length > 100);
    }
    assert.ok(others.size > 30);
    assert.ok(!/<script(?![^>]*\bsrc=)/.test(page.text), 'no inline script');
    assert.match((await fetch(`${service.url}/docs/site.css`)).headers.get('content-type') ?? '', /^text\/css/);
    assert.match((await fetch(`${service.url}/docs/site.js`)).headers.get('content-type') ?? '', /^text\/javascript/);
    assert.ok(!/https?:/.test(await (await fetch(`${service.url}/docs/site.js`)).text()));
  });

  it('200 /docs/errors has an anchor for each code', async () => {
    const page = await fetch(`${service.url}/docs/errors`);
    assert.equal(page.status, 200);
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /default-src 'none'; script-src 'self'; style-src 'self';/,
    );
    const anchors = [...(await page.text()).matchAll(/ id="([^"]*)"/g)].map(([, anchor]) => anchor);
    assert.ok(anchors.includes('invalid_body') && anchors.includes('not_found'));
    assert.equal(new Set(anchors).size, anchors.length);
  });

  it('404 for files outside the assets', async () => {
    for (const path of ['/docs/package.json', '/docs/..%2Fpackage.json', '/docs/%2e%2e/package.json'])
      assert.equal((await api.get(path)).status, 404, path);
  });

  it('200 /llms.txt lists every call', async () => {
    const { status, text, headers } = await api.get('/llms.txt');
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^text\/plain/);
    for (const { method, path } of publicRoutes)
      assert.ok(text.includes(`- ${method} ${path.replace(/:(\w+)/g, '{$1}')}: `), path);
  });
});

describe('GET /v1/openapi.json', () => {
  const document: Promise<JsonBody> = api.get('/v1/openapi.json').then((answer) => answer.body);
  const methods = new Set(['get', 'post', 'patch', 'put', 'delete']);

  it('200 OpenAPI 3.1 of version 1.0.0, with the URL of this service', async () => {
    const { openapi, info, servers } = await document;
    assert.equal(openapi, '3.1.0');
    assert.equal(info.version, '1.0.0');
    assert.deepEqual(servers, [{ url: service.url }]);
  });

  it('200 with form=2 describes the same calls in Form 2, with the URL of this service', async () => {
    const { paths, servers, components } = (await api.get('/v1/openapi.json?form=2')).body;
    assert.deepEqual(Object.keys(paths), Object.keys((await document).paths));
    assert.deepEqual(servers, [{ url: service.url }]);
    const { schema } = paths['/v1/users/{user_id}'].get.responses[200].content['application/json'];
    assert.deepEqual(schema, { $ref: '#/components/schemas/UserDetailForm2' });
    assert.ok(!('UserDetailForm1' in components.schemas));
  });

  it('400 for any other form', async () => {
    assert.equal((await api.get('/v1/openapi.json?form=3')).status, 400);
  });

  it('200 describes every public route and no other', async () => {
    const { paths } = await document;
    const described = Object.entries(paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(
      described.sort(),
      publicRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`).sort(),
    );
  });

  it('200 every operation has a unique id, a tag, a summary, its path parameters, and security', async () => {
    const { paths, tags, components } = await document;
    const ids = new Set<string>();
    for (const [path, item] of Object.entries<JsonBody>(paths)) {
      for (const [method, operation] of Object.entries<JsonBody>(item)) {
        assert.ok(methods.has(method));
        assert.match(operation.operationId, /^[a-z][A-Za-z0-9]+$/);
        assert.ok(!ids.has(operation.operationId), operation.operationId);
        ids.add(operation.operationId);
        assert.ok(operation.summary);
        assert.ok(operation.description, operation.operationId);
        assert.ok(tags.some((tag: JsonBody) => tag.name === operation.tags[0] && tag.description));
        const inPath = operation.parameters
          .filter((parameter: JsonBody) => parameter.in === 'path')
          .map((parameter: JsonBody) => parameter.name);
        assert.deepEqual(
          inPath,
          [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
        );
        const names = operation.parameters.map((parameter: JsonBody) => `${parameter.in} ${parameter.name}`);
        assert.equal(new Set(names).size, names.length, 'each parameter once');
        for (const scheme of operation.security.flatMap((entry: object) => Object.keys(entry)))
          assert.ok(scheme in components.securitySchemes);
        assert.ok(Object.keys(operation.responses).some((status) => status.startsWith('2')));
        for (const response of Object.values<JsonBody>(operation.responses)) assert.ok(response.description);
      }
    }
  });

  it('200 every error of a route is listed under its status, in the common shape', async () => {
    const { paths } = await document;
    for (const route of publicRoutes) {
      const { responses } = paths[route.path.replace(/:(\w+)/g, '{$1}')][route.method.toLowerCase()];
      for (const code of listErrorCodes(route)) {
        const response = responses[ERROR_CODES[code].status];
        assert.ok(response?.description.includes(`\`${wireCodeOf(code)}\``), `${route.operationId}: ${code}`);
        assert.ok(JSON.stringify(response.content).includes('#/components/schemas/Error'));
      }
    }
  });

  it('200 lists the statuses of the specification', async () => {
    const { paths } = await document;
    const expected: Record<string, number[]> = {
      'post /v1/users': [201, 400, 401, 402, 409, 429],
      'get /v1/users': [200, 400, 401, 402, 429],
      'get /v1/users/{user_id}': [200, 400, 401, 402, 404, 429],
      'patch /v1/users/{user_id}': [200, 400, 401, 402, 404, 429],
      'delete /v1/users/{user_id}': [202, 400, 401, 404, 429],
      'post /v1/auth/user-token': [200, 400, 401, 402, 403, 404, 429],
    };
    for (const [name, statuses] of Object.entries(expected)) {
      const [method = '', path = ''] = name.split(' ');
      for (const status of statuses) assert.ok(paths[path][method].responses[status], `${name}: ${status}`);
    }
  });

  it('200 every $ref resolves and no schema is empty', async () => {
    const root = await document;
    const visit = (node: JsonBody, position: string): void => {
      if (typeof node !== 'object' || node === null) return;
      if (typeof node.$ref === 'string') {
        assert.match(node.$ref, /^#\//, position);
        const target = node.$ref
          .slice(2)
          .split('/')
          .reduce((at: JsonBody, step: string) => at?.[step], root);
        assert.ok(target, `${position}: ${node.$ref}`);
      }
      if ('schema' in node) assert.ok(Object.keys(node.schema).length > 0, position);
      for (const [name, child] of Object.entries(node))
        if (name !== 'example' && name !== 'examples') visit(child, `${position}/${name}`);
    };
    visit(root, '#');
  });

  it('200 required bodies list their fields and reject others', async () => {
    const { paths, components } = await document;
    const { schema } = paths['/v1/users'].post.requestBody.content['application/json'];
    const forms = schema.anyOf.map(({ $ref }: JsonBody) => $ref.split('/').at(-1));
    assert.deepEqual(forms, ['CreateUserRequestForm1', 'CreateUserRequestForm2']);
    assert.deepEqual(
      forms.map((name: string) => [components.schemas[name].required, components.schemas[name].additionalProperties]),
      [
        [['reference_id'], false],
        [['external_ref'], false],
      ],
    );
  });

  it('200 every object has a name, and form-specific responses end in their form', async () => {
    const root = await document;
    const visit = (node: JsonBody, position: string, isComponent: boolean): void => {
      if (typeof node !== 'object' || node === null) return;
      if (!isComponent) assert.ok(!isObjectSchema(node), `${position} has no title`);
      for (const [name, child] of Object.entries(node))
        visit(child, `${position}/${name}`, position === '#/components/schemas');
    };
    const isObjectSchema = (node: JsonBody) => [node.type].flat().includes('object') && 'properties' in node;
    visit(root, '#', false);
    for (const item of Object.values<JsonBody>(root.paths))
      for (const { operationId, responses } of Object.values<JsonBody>(item)) {
        const choices = Object.entries<JsonBody>(responses)
          .filter(([status]) => status.startsWith('2'))
          .flatMap(([, { content }]) => content?.['application/json']?.schema.anyOf ?? []);
        if (choices.length > 0)
          assert.equal(choices.filter(({ $ref }: JsonBody) => $ref.endsWith('Form1')).length, 1, operationId);
      }
  });
});

it('the document describes the webhook of every event type', async () => {
  const { webhooks, components } = (await api.get('/v1/openapi.json')).body;
  assert.deepEqual(Object.keys(webhooks), [...EVENT_TYPES]);
  for (const [type, { post }] of Object.entries<JsonBody>(webhooks)) {
    const name = post.requestBody.content['application/json'].schema.$ref.split('/').at(-1);
    assert.deepEqual(components.schemas[name].properties.event_type.enum, [type]);
  }
});

describe('GET /.well-known/jwks.json', () => {
  it('200 public Ed25519 keys, cacheable, without a private part', async () => {
    const answer = await api.get('/.well-known/jwks.json');
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=\d+$/);
    assert.ok(answer.body.keys.length >= 1);
    for (const key of answer.body.keys) {
      assert.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x']);
      assert.equal(key.crv, 'Ed25519');
    }
  });
});

describe('credentials', () => {
  it('200 without a credential, with a bad one and with an expired one', async () => {
    for (const path of [
      '/healthz',
      '/readyz',
      '/version',
      '/metrics',
      '/docs',
      '/llms.txt',
      '/v1/openapi.json',
      '/.well-known/jwks.json',
    ])
      for (const token of [null, 'nonsense', 'sk_live_x', service.keys.live])
        assert.equal((await service.api(token).get(path)).status, 200, path);
  });
});
