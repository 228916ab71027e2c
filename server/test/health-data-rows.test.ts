// Rows of the route table say whose health data they return. This test finds rows that return some and say "nobody".
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { profileFields } from '../src/features/tenancy/user-core/index.ts';
import type { Route } from '../src/platform/http/route.ts';
import { dashboardRoutes, operatorRoutes, publicRawRoutes, publicRoutes } from '../src/routes.ts';

const FIELDS: ReadonlySet<string> = new Set([
  ...Object.keys(profileFields),
  ...['profile', 'value', 'values', 'samples', 'scores', 'score', 'asleep_minutes', 'heart_rate', 'sleep', 'workouts'],
]);
const REASONS: Readonly<Record<string, string>> = {
  createUser: 'returns what the call has sent, or generated data of the sandbox',
  listEvents: '"scores" are names',
  inspectDelivery: '"value" is of a header',
  adminReadImportTarget: 'returns environment and time zone',
};

type Schema = Readonly<Record<string, unknown>>;
const rows = [...publicRoutes, ...operatorRoutes, ...dashboardRoutes];
const readsNothing = rows.filter(({ healthDataOf }) => healthDataOf === 'nobody');

/** In all parts of the schema, whatever keyword they belong to. */
function listFields(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, part]) =>
    keyword === 'properties'
      ? Object.entries(part as Schema).flatMap(([name, field]) => [name, ...listFields(field)])
      : listFields(part),
  );
}

function listReplyFields({ dialects }: Route): string[] {
  const all = 'both' in dialects ? [dialects.both] : [dialects[1], dialects[2]];
  return all.flatMap(({ replies }) => Object.values(replies).flatMap(listFields));
}

describe('a row that returns the health data of nobody', () => {
  it('has no field of health data in its replies', () => {
    const found = readsNothing.filter((row) => listReplyFields(row).some((name) => FIELDS.has(name)));
    assert.deepEqual(
      found.map(({ operationId }) => operationId).filter((name) => !(name in REASONS)),
      [],
    );
  });

  it('reads nothing of a user', () => {
    const found = readsNothing.filter(({ method, path }) => method === 'GET' && path.includes(':user_id'));
    assert.deepEqual(
      found.map(({ operationId }) => operationId).filter((name) => !(name in REASONS)),
      [],
    );
  });
});

describe('a row that returns health data', () => {
  it('has users: in its path, or in its result', () => {
    const found = rows.filter(({ healthDataOf }) => healthDataOf === 'path_user');
    assert.ok(found.length > 20);
    for (const { path } of found) assert.match(path, /:user_id/);
  });

  it('is found by its fields', () => {
    for (const name of ['getUser', 'listUsers', 'readDaily', 'readScores', 'listDirectory', 'adminInspectBlocks']) {
      const row = rows.find(({ operationId }) => operationId === name) ?? assert.fail(name);
      assert.ok(
        listReplyFields(row).some((field) => FIELDS.has(field)),
        name,
      );
    }
  });
});

describe('a hosted page that shows health data', () => {
  it('is one of the privacy portal', () => {
    const found = publicRawRoutes.filter(({ showsHealthData }) => showsHealthData);
    assert.deepEqual(new Set(found.map(({ path }) => path)), new Set(['/my-data/:token']));
  });
});
