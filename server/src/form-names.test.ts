import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TObject } from 'typebox';
import type { Form } from './domain/tenancy.ts';
import { FORM_NAMES } from './form-names.ts';
import { AppError } from './platform/errors.ts';
import { guessForm, selectForm } from './platform/http/forms.ts';
import { type Dialects, dialect, type Route } from './platform/http/route.ts';
import { Type } from './platform/json-schema.ts';

type Call = { header?: string; query?: string; body?: unknown; accountDefault?: Form };

function fakeRoute(dialects: Dialects<unknown, unknown>): Route {
  return {
    method: 'GET',
    path: '/v1/users/:user_id/fake',
    operationId: 'fake',
    tag: 'Fake',
    summary: 'a row that no feature has yet',
    access: { to: 'anyone' },
    healthDataOf: 'nobody',
    dialects,
    errors: [],
    handle: () => null,
  };
}

function shape(query: readonly string[], body?: readonly string[]) {
  const object = (names: readonly string[]): TObject =>
    Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Unsafe<unknown>({}))])));
  return dialect({
    query: object(query),
    ...(body ? { body: object(body) } : {}),
    replies: { 200: Type.Object({}) },
    parse: () => null as unknown,
    present: () => ({ status: 200, body: {} }),
  });
}

const DATES = ['start_date', 'end_date', 'unit_system', 'include_sources'];
const users = fakeRoute({
  1: shape(['reference_id', 'page', 'per_page']),
  2: shape(['external_ref', 'limit', 'cursor']),
});
const daily = fakeRoute({
  1: shape([...DATES, 'metrics']),
  2: shape(['from_date', 'to_date', 'types', 'unit_system', 'include_sources']),
  bare: 2,
});
const scores = fakeRoute({ 1: shape([]), 2: shape(['from_date', 'to_date', 'types']) });
const history = fakeRoute({ both: shape(['types', 'start_date', 'end_date']) });
const timeseries = fakeRoute({ both: shape([...DATES, 'metrics', 'resolution']) });
const events = fakeRoute({ both: shape(['limit', 'cursor', 'user_id', 'event_type']) });
const consolidation = fakeRoute({ both: shape(['preview'], ['metrics', 'providers']) });

function select(route: Route, call: Call = {}): Form {
  return selectForm({
    names: FORM_NAMES,
    route,
    header: call.header,
    query: Object.fromEntries(new URLSearchParams(call.query)),
    body: call.body,
    accountDefault: call.accountDefault ?? 1,
  });
}

function refusal(route: Route, call: Call): AppError {
  try {
    select(route, call);
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.status, 400);
    return error;
  }
  return assert.fail(`${JSON.stringify(call)} was not refused`);
}

describe('selectForm: the header', () => {
  it("takes precedence over the account's default and over the bare form", () => {
    assert.equal(select(users, { header: '2' }), 2);
    assert.equal(select(users, { header: '1', accountDefault: 2 }), 1);
    assert.equal(select(daily, { header: '1' }), 1);
  });

  it('is rejected unless it is 1 or 2', () => {
    for (const header of ['', '0', '3', '01', '1.0', 'Form 1', '1,2', '1, 1', 'two', '１'])
      assert.equal(refusal(users, { header }).code, 'invalid_form', header);
  });

  it('is rejected with a parameter of the other form, which the error names', () => {
    const error = refusal(users, { header: '1', query: 'limit=5&page=1' });
    assert.equal(error.code, 'mixed_forms');
    assert.deepEqual(error.details, { form_1: ['page'], form_2: ['limit'], header: 1 });
    assert.match(error.message, /header is 1, but details\.form_2 .* send Api-Form: 2\.$/);
    const other = refusal(users, { header: '2', query: 'page=1' });
    assert.equal(other.code, 'mixed_forms');
    assert.match(other.message, /header is 2, but details\.form_1 .* send Api-Form: 1\.$/);
    assert.equal(refusal(daily, { header: '1', query: 'types=steps' }).code, 'mixed_forms');
    assert.equal(refusal(users, { header: '2', body: { reference_id: 'a' } }).code, 'mixed_forms');
  });

  it('allows unit_system and include_sources in both forms', () => {
    for (const header of ['1', '2'] as const)
      assert.equal(select(daily, { header, query: 'unit_system=imperial&include_sources=true' }), Number(header));
  });
});

describe('selectForm: the parameters', () => {
  it('of Form 1', () => {
    for (const name of [
      'start_date',
      'end_date',
      'metrics',
      'unit_system',
      'include_sources',
      'page',
      'per_page',
      'reference_id',
    ])
      assert.equal(select(users, { query: `${name}=x`, accountDefault: 2 }), 1, name);
    assert.equal(select(users, { body: { reference_id: 'a' }, accountDefault: 2 }), 1);
  });

  it('of Form 2', () => {
    for (const name of ['from_date', 'to_date', 'limit', 'cursor', 'external_ref'])
      assert.equal(select(users, { query: `${name}=x` }), 2, name);
    assert.equal(select(users, { body: { external_ref: 'a' } }), 2);
  });

  it('of both forms are rejected, and the error lists them by form', () => {
    const error = refusal(daily, {
      query: 'start_date=2026-01-01&to_date=2026-01-02&unit_system=metric',
      body: undefined,
    });
    assert.equal(error.code, 'mixed_forms');
    assert.deepEqual(error.details, { form_1: ['start_date'], form_2: ['to_date'] });
    assert.match(error.message, /^The request mixes parameters/);
    assert.equal(refusal(users, { query: 'page=1', body: { external_ref: 'a' } }).code, 'mixed_forms');
  });

  it('unit_system and include_sources do not imply Form 1 if anything implies Form 2', () => {
    assert.equal(select(daily, { query: 'unit_system=imperial&from_date=2026-01-01' }), 2);
    assert.equal(select(daily, { query: 'include_sources=true&types=steps' }), 2);
    assert.equal(select(daily, { query: 'include_sources=true' }), 1);
  });

  it('types implies no form on a route that does not have it', () => {
    const sleep = fakeRoute({ 1: shape(['start_date', 'end_date']), 2: shape(['from_date', 'to_date']) });
    assert.equal(select(sleep, { query: 'types=steps', accountDefault: 1 }), 1);
  });

  it('types implies Form 2 on daily and scores, and no form on scores/history', () => {
    assert.equal(select(daily, { query: 'types=steps' }), 2);
    assert.equal(select(scores, { query: 'types=sleep_score' }), 2);
    assert.equal(select(history, { query: 'types=sleep_score', accountDefault: 1 }), 1);
    assert.equal(select(history, { query: 'types=sleep_score', accountDefault: 2 }), 2);
    assert.equal(select(history, { query: 'types=sleep_score&start_date=2026-01-01', accountDefault: 2 }), 1);
  });

  it('both names of the reference imply no form if they agree, and are mixed forms if they differ', () => {
    const agreed = { reference_id: 'a', external_ref: 'a' };
    for (const accountDefault of [1, 2] as const)
      assert.equal(select(users, { body: agreed, accountDefault }), accountDefault);
    assert.equal(select(users, { body: agreed, header: '2' }), 2);
    assert.equal(refusal(users, { body: { reference_id: 'a', external_ref: 'b' } }).code, 'mixed_forms');
  });

  it('bodies that are not objects imply no form', () => {
    for (const body of [undefined, null, 'limit', 5, ['limit'], [{ limit: 1 }]])
      assert.equal(select(users, { body }), 1);
  });
});

describe('selectForm: one shape in both forms', () => {
  it('timeseries accepts its own dates and metrics with Api-Form: 2', () => {
    const query = 'metrics=heart_rate&start_date=2026-01-01&end_date=2026-01-02&include_sources=true';
    assert.equal(select(timeseries, { header: '2', query }), 2);
    assert.equal(select(timeseries, { query, accountDefault: 2 }), 1);
  });

  it('events accepts its own limit and cursor with Api-Form: 1', () => {
    assert.equal(select(events, { header: '1', query: 'limit=5&cursor=x' }), 1);
    assert.equal(select(events, { query: 'limit=5' }), 2);
    assert.equal(select(events, { query: 'user_id=x' }), 1);
  });

  it('consolidation accepts its body field metrics with Api-Form: 2', () => {
    const body = { metrics: { steps: { method: 'max' } } };
    assert.equal(select(consolidation, { header: '2', body }), 2);
    assert.equal(select(consolidation, { header: '1', body }), 1);
  });

  it('a name that is not its own still contradicts the header', () => {
    assert.equal(refusal(timeseries, { header: '1', query: 'from_date=2026-01-01' }).code, 'mixed_forms');
    assert.equal(refusal(events, { header: '2', query: 'page=2' }).code, 'mixed_forms');
  });
});

describe('selectForm: a call that says nothing', () => {
  it('uses the bare form of the route, or the default of the account', () => {
    assert.equal(select(daily, { accountDefault: 1 }), 2);
    assert.equal(select(scores, { accountDefault: 1 }), 1);
    assert.equal(select(scores, { accountDefault: 2 }), 2);
    assert.equal(select(timeseries, { accountDefault: 2 }), 2);
  });
});

describe('guessForm', () => {
  it('uses a valid header, otherwise the fallback', () => {
    assert.equal(guessForm('2', 1), 2);
    for (const header of [undefined, '3', ['1', '2'], '']) assert.equal(guessForm(header, 2), 2);
  });
});
