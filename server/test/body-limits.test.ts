import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bodyLimitOf } from '../src/platform/http/body-limit.ts';
import { dialect, type Route } from '../src/platform/http/route.ts';
import { requestObject } from '../src/platform/http/schema.ts';
import { Type } from '../src/platform/json-schema.ts';
import { operatorRoutes, publicRoutes } from '../src/routes.ts';

const limitOf = (body: ReturnType<typeof requestObject>) =>
  bodyLimitOf({
    dialects: { both: dialect({ body, replies: {}, parse: () => null, present: () => ({ status: 204, body: null }) }) },
  });
const routeOf = (operationId: string) => publicRoutes.find((route) => route.operationId === operationId) as Route;

describe('the size limit of a body', () => {
  it('is a few kB for a few fields', () => {
    assert.equal(limitOf(requestObject({ name: Type.String({ maxLength: 100 }), count: Type.Integer() })), 4_096);
    for (const id of ['exchangeSdkToken', 'issueUserToken']) {
      const route = routeOf(id);
      assert.ok(route, id);
      assert.ok(bodyLimitOf(route) < 8_192, id);
    }
  });

  it('accepts the largest body that the schema allows, escaped and indented', () => {
    const text = '\u0001'.repeat(500); // six bytes each
    const metadata = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [String(index).padStart(100, 'é'), text]),
    );
    const body = JSON.stringify({ reference_id: '\u0001'.repeat(255), metadata }, null, 2);
    assert.ok(Buffer.byteLength(body) < bodyLimitOf(routeOf('createUser')));
  });

  it('is never more than 1 MiB', () => {
    const limits = [...publicRoutes, ...operatorRoutes].map(bodyLimitOf);
    assert.ok(limits.length > 50);
    assert.ok(Math.max(...limits) <= 1_048_576);
  });
});
