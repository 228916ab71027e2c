import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { TObject } from 'typebox';
import { findTextProblem, MAX_TEXT_LENGTH } from '../../domain/metrics/record-limits.ts';
import type { ErrorCode } from '../error-codes.ts';
import { AppError, type Issue } from '../errors.ts';
import { Type } from '../json-schema.ts';
import { matching, nullable, oneOfWords, requestObject, withDefault } from './schema.ts';
import { checkInput, fillDefaults, readQuery } from './validate.ts';

const schema = requestObject({
  name: Type.String({ minLength: 1, maxLength: 5 }),
  size: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
  kind: Type.Optional(oneOfWords(['a', 'b'])),
  note: Type.Optional(nullable(Type.String())),
  items: Type.Optional(Type.Array(requestObject({ value: Type.Number() }))),
  tags: Type.Optional(
    Type.Unsafe<Record<string, string>>({ type: 'object', additionalProperties: { type: 'string', maxLength: 3 } }),
  ),
});

function issuesOf(value: unknown, given: TObject = schema, code: ErrorCode = 'invalid_body'): Issue[] {
  try {
    checkInput(given, value, code);
  } catch (error) {
    assert.ok(error instanceof AppError);
    assert.equal(error.code, code);
    return error.details.issues as Issue[];
  }
  return [];
}

describe('checkInput', () => {
  it('accepts valid input', () => {
    assert.deepEqual(
      issuesOf({ name: 'x', size: 0, kind: 'b', note: null, items: [{ value: 0 }], tags: { a: '' } }),
      [],
    );
  });

  it('reports every problem with a readable path', () => {
    const issues = issuesOf({
      size: 10,
      kind: 'c',
      note: 5,
      items: [{ value: 1 }, { value: 'x' }, {}],
      tags: { a: 'long', '7': 1 },
    });
    assert.deepEqual(
      issues.map(({ path }) => path).sort(),
      ['items[1].value', 'items[2].value', 'kind', 'name', 'note', 'size', 'tags.a', 'tags[7]'].sort(),
    );
    assert.deepEqual(
      issues.find(({ path }) => path === 'name'),
      { path: 'name', message: 'is required' },
    );
    assert.deepEqual(
      issues.find(({ path }) => path === 'kind'),
      { path: 'kind', message: 'must be one of "a", "b"' },
    );
    assert.deepEqual(
      issues.find(({ path }) => path === 'note'),
      { path: 'note', message: 'must be a string or null' },
    );
  });

  it('reports unknown fields and parameters at any level', () => {
    assert.deepEqual(issuesOf({ name: 'x', other: 1, 'a/b~c': 2 }), [
      { path: 'other', message: 'unknown field' },
      { path: 'a/b~c', message: 'unknown field' },
    ]);
    assert.deepEqual(issuesOf({ name: 'x', items: [{ value: 1, more: 2 }] }), [
      { path: 'items[0].more', message: 'unknown field' },
    ]);
    assert.deepEqual(issuesOf({ name: 'x', other: 1 }, schema, 'invalid_parameter'), [
      { path: 'other', message: 'unknown parameter' },
    ]);
  });

  it('does not report an invalid value of a map as unknown', () => {
    assert.deepEqual(issuesOf({ name: 'x', tags: { a: 'long' } }), [
      { path: 'tags.a', message: 'must not have more than 3 characters' },
    ]);
  });

  it('reports the expected type', () => {
    assert.deepEqual(issuesOf(null), [{ path: '', message: 'must be an object' }]);
    assert.deepEqual(issuesOf({ name: 5 }), [{ path: 'name', message: 'must be a string' }]);
    assert.deepEqual(issuesOf({ name: 'x', size: '1' }), [{ path: 'size', message: 'must be an integer' }]);
  });

  it('says what a format or a minimum expects', () => {
    const formats = requestObject(
      {
        day: Type.Optional(Type.String({ format: 'date' })),
        time: Type.Optional(Type.String({ format: 'date-time' })),
        list: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
        email: Type.Optional(Type.String({ format: 'email', pattern: '^[^"]+$' })),
      },
      { minProperties: 1 },
    );
    assert.deepEqual(issuesOf({ day: 'yesterday', time: '8:30', list: [] }, formats), [
      { path: 'day', message: 'must be a date such as 2026-01-31' },
      { path: 'time', message: 'must be a time such as 2026-01-31T08:30:00Z' },
      { path: 'list', message: 'must not be empty' },
    ]);
    assert.deepEqual(issuesOf({ email: '"' }, formats), [{ path: 'email', message: 'must be an email address' }]);
    assert.deepEqual(issuesOf({}, formats), [{ path: '', message: 'must have at least one field' }]);
    assert.deepEqual(issuesOf({ name: '' }), [{ path: 'name', message: 'must not be empty' }]);
  });

  it('says in words what a pattern expects, and only once if the text is empty', () => {
    const named = requestObject({
      name: Type.String({ minLength: 1, ...matching('^[a-z]+$', 'must be in lower case') }),
    });
    assert.deepEqual(issuesOf({ name: 'A' }, named), [{ path: 'name', message: 'must be in lower case' }]);
    assert.deepEqual(issuesOf({ name: '' }, named), [{ path: 'name', message: 'must not be empty' }]);
  });

  it('rejects text that PostgreSQL cannot store, in values and in keys, with the messages of uploads', () => {
    for (const [value, path, text] of [
      [{ name: 'a\0' }, 'name', 'a\0'],
      [{ name: '\ud800' }, 'name', '\ud800'],
      [{ name: 'x', tags: { a: '\udc00' } }, 'tags.a', '\udc00'],
      [{ name: 'x', tags: { 'a\0': '' } }, 'tags.a\0', 'a\0'],
    ] as const)
      assert.deepEqual(issuesOf(value), [{ path, message: findTextProblem(text, MAX_TEXT_LENGTH) }]);
  });

  it('lists at most fifty problems', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, index]));
    assert.ok(issuesOf({ name: 'x', ...many }).length <= 50);
    assert.ok(issuesOf({ name: 'x', tags: many }).length <= 50);
    assert.ok(issuesOf({ name: 'x', items: Array.from({ length: 5_000 }, () => ({})) }).length <= 50);
  });

  it('throws nothing but AppError for any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void issuesOf(value)));
    fc.assert(fc.property(fc.jsonValue(), (value) => void issuesOf({ name: 'x', items: value, tags: value })));
  });
});

describe('fillDefaults', () => {
  const paged = requestObject({
    limit: withDefault(Type.Integer({ minimum: 0 }), 50),
    isNew: withDefault(Type.Boolean(), false),
    cursor: Type.Optional(Type.String()),
  });

  it('fills in what is absent, and keeps what is given', () => {
    assert.deepEqual(fillDefaults(paged, {}), { limit: 50, isNew: false });
    assert.deepEqual(fillDefaults(paged, { limit: 0, cursor: 'c' }), { limit: 0, isNew: false, cursor: 'c' });
  });

  it('keeps the object if the schema has no defaults', () => {
    const value = { name: 'x' };
    assert.equal(fillDefaults(schema, value), value);
  });

  it('makes the field optional', () => {
    assert.equal(paged.required, undefined);
    checkInput(paged, {}, 'invalid_parameter');
  });
});

describe('readQuery', () => {
  const query = requestObject({
    limit: Type.Optional(Type.Integer()),
    on: Type.Optional(Type.Boolean()),
    text: Type.Optional(Type.String()),
  });
  const read = (values: Record<string, unknown>) => readQuery(query, values);

  it('reads only well-formed integers and booleans', () => {
    assert.deepEqual(read({ limit: '5', on: 'true', text: '5' }), { limit: 5, on: true, text: '5' });
    assert.deepEqual(read({ limit: '-5', on: 'false' }), { limit: -5, on: false });
    for (const limit of ['5.0', '1e3', '0x10', '+5', ' 5', '', '9999999999999999'])
      assert.deepEqual(read({ limit }), { limit });
    for (const on of ['TRUE', '1', 'yes', '']) assert.deepEqual(read({ on }), { on });
  });

  it('keeps unknown parameters, so that they can be rejected', () => {
    const hostile = Object.create(null) as Record<string, unknown>;
    for (const name of ['__proto__', 'constructor', 'toString']) hostile[name] = '1';
    const result = read(hostile);
    assert.deepEqual(Object.keys(result).sort(), ['__proto__', 'constructor', 'toString']);
    assert.equal(issuesOf(result, query, 'invalid_parameter').length, 3);
    assert.deepEqual(read({ limit: ['1', '2'] }), { limit: ['1', '2'] });
  });
});
