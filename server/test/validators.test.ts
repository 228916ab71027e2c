// Validators are compiled when they are first used. This test uses each, so that none fails first in production.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JOBS } from '../src/background-work.ts';
import { LINE_SCHEMAS } from '../src/features/intake/imports/bundle/line-schemas.ts';
import { dialectOf } from '../src/platform/http/route.ts';
import { expectationOf } from '../src/platform/http/schema.ts';
import { validatorOf } from '../src/platform/validator-of.ts';
import { memberRoutes, operatorRoutes, publicRoutes } from '../src/routes.ts';

const jobSchemas = JOBS.flatMap(({ payload, former }) => (former ? [payload, former.payload] : [payload]));
const routeSchemas = [...publicRoutes, ...memberRoutes, ...operatorRoutes]
  .flatMap((route) => [dialectOf(route, 1), dialectOf(route, 2)])
  .flatMap(({ query, body }) => [query, body])
  .filter((schema) => schema !== null);

describe('validators', () => {
  for (const [name, schemas] of Object.entries({
    jobs: jobSchemas,
    routes: routeSchemas,
    'lines of bundles': Object.values(LINE_SCHEMAS),
  }))
    it(`compile for all ${name}`, () => {
      assert.ok(schemas.length > 5);
      for (const schema of new Set(schemas)) assert.equal(validatorOf(schema).Check(null), false);
    });

  it('say in words what a pattern expects', () => {
    const patterns = [...routeSchemas, ...Object.values(LINE_SCHEMAS)].flatMap(listPatterns);
    assert.ok(patterns.length > 5);
    assert.deepEqual([...new Set(patterns.filter((pattern) => expectationOf(pattern) === undefined))], []);
  });
});

function listPatterns(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'pattern' in schema && typeof schema.pattern === 'string' ? [schema.pattern] : [];
  return [...own, ...Object.values(schema).flatMap(listPatterns)];
}
