import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../errors.ts';
import { Type } from '../json-schema.ts';
import { createQueryReader } from './query-reader.ts';
import { dialect } from './route.ts';
import { requestObject, withDefault } from './schema.ts';

const query = Type.Object({ days: Type.Integer({ minimum: 1 }), note: Type.Optional(Type.String()) });
const rest = {
  replies: { 200: null },
  parse: () => null as unknown,
  present: () => ({ status: 200, body: undefined }),
};
const plain = dialect({ query, ...rest });
const withoutQuery = dialect({ ...rest });
let prepared = 0;
const preparing = dialect({
  query,
  ...rest,
  prepareQuery: ({ days }) => {
    prepared += 1;
    if (days === 13) throw new AppError('invalid_range');
    return { hours: days * 24 };
  },
});

const isRefused = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;

describe('createQueryReader', () => {
  it('parses lists, percents, pluses, names that objects have, and any number of parameters', () => {
    const read = createQueryReader({ dialects: { both: plain } });
    assert.deepEqual({ ...read('a=1&a=2&b=x%20y+z&c').fields }, { a: ['1', '2'], b: 'x y z', c: '' });
    assert.deepEqual(Object.keys(read('__proto__=1&constructor=2').fields), ['__proto__', 'constructor']);
    assert.deepEqual(Object.keys(read('').fields), []);
    const many = Array.from({ length: 1_500 }, (_, index) => `p${index}`).join('&');
    assert.equal(Object.keys(read(many).fields).length, 1_500);
  });

  it('validates the query, and rejects parameters on a route without a query schema', () => {
    const read = createQueryReader({ dialects: { both: plain } });
    assert.deepEqual({ ...(read('days=7').prepareFor(plain) as object) }, { days: 7 });
    assert.throws(() => read('days=0').prepareFor(plain), isRefused('invalid_parameter'));
    assert.deepEqual(read('').prepareFor(withoutQuery), {});
    assert.throws(() => read('days=7').prepareFor(withoutQuery), isRefused('invalid_parameter'));
  });

  it('fills in defaults before it prepares the query', () => {
    const paged = { ...rest, query: requestObject({ limit: withDefault(Type.Integer(), 50) }) };
    const list = dialect(paged);
    const twice = dialect({ ...paged, prepareQuery: ({ limit }) => limit * 2 });
    assert.deepEqual(createQueryReader({ dialects: { both: list } })('').prepareFor(list), { limit: 50 });
    assert.equal(createQueryReader({ dialects: { both: twice } })('').prepareFor(twice), 100);
  });

  it('prepares the same text once per dialect, and does not cache failures', () => {
    const read = createQueryReader({ dialects: { 1: plain, 2: preparing } });
    prepared = 0;
    const first = read('days=2').prepareFor(preparing);
    assert.deepEqual(first, { hours: 48 });
    assert.equal(read('days=2').prepareFor(preparing), first);
    assert.equal(prepared, 1);
    assert.deepEqual({ ...(read('days=2').prepareFor(plain) as object) }, { days: 2 });
    for (const _ of [1, 2]) assert.throws(() => read('days=13').prepareFor(preparing), isRefused('invalid_range'));
    assert.equal(prepared, 3);
  });

  it('does not cache long texts, nor for routes that prepare nothing', () => {
    const readPlain = createQueryReader({ dialects: { both: plain } });
    assert.notEqual(readPlain('days=2'), readPlain('days=2'));
    const read = createQueryReader({ dialects: { both: preparing } });
    const long = `days=2&note=${'x'.repeat(3_000)}`;
    assert.notEqual(read(long), read(long));
    assert.equal(read('days=2'), read('days=2'));
  });

  it('clears the cache when it is full', () => {
    const read = createQueryReader({ dialects: { both: preparing } });
    const first = read('days=1');
    for (let days = 2; days <= 500; days += 1) read(`days=${days}`);
    assert.equal(read('days=1'), first);
    read('days=501');
    assert.notEqual(read('days=1'), first);
    assert.deepEqual(read('days=1').prepareFor(preparing), { hours: 24 });
  });
});
