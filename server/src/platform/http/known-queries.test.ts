import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from '../json-schema.ts';
import { createQueryParser, readOnce } from './known-queries.ts';

const schema = Type.Object({});

describe('query texts', () => {
  it('are taken apart as ever: lists, percents, pluses, names that objects have', () => {
    const parse = createQueryParser();
    assert.deepEqual({ ...parse('a=1&a=2&b=x%20y+z&c') }, { a: ['1', '2'], b: 'x y z', c: '' });
    assert.deepEqual(Object.keys(parse('__proto__=1&constructor=2')), ['__proto__', 'constructor']);
    assert.deepEqual(Object.keys(parse('')), []);
    assert.equal(Object.keys(parse(Array.from({ length: 1_500 }, (_, index) => `p${index}`).join('&'))).length, 1_500);
  });

  it('are the same object when they come again, which nobody can change; long ones are not kept', () => {
    const parse = createQueryParser();
    const query = parse('a=1');
    assert.equal(parse('a=1'), query);
    assert.throws(() => Object.assign(query, { b: '2' }), TypeError);
    const long = `a=${'x'.repeat(3_000)}`;
    assert.notEqual(parse(long), parse(long));
  });

  it('are forgotten when there are many, and read again', () => {
    const parse = createQueryParser();
    const query = parse('a=0');
    for (let index = 1; index <= 500; index += 1) parse(`a=${index}`);
    assert.notEqual(parse('a=0'), query);
    assert.deepEqual({ ...parse('a=0') }, { a: '0' });
  });
});

describe('readOnce', () => {
  it('keeps what was read of a known query by a schema, and nothing that failed', () => {
    const query = createQueryParser()('a=1');
    let reads = 0;
    const read = () => ({ reads: ++reads });
    const fail = () => {
      throw new Error('bad');
    };
    assert.throws(() => readOnce(query, schema, fail), /bad/);
    assert.throws(() => readOnce(query, schema, fail), /bad/);
    assert.deepEqual([readOnce(query, schema, read), readOnce(query, schema, read)], [{ reads: 1 }, { reads: 1 }]);
    assert.deepEqual(readOnce(query, Type.Object({}), read), { reads: 2 }, 'another schema reads it in its own way');
  });

  it('keeps nothing of a query that only one request has', () => {
    let reads = 0;
    const query = { a: '1' };
    for (const _ of [1, 2]) readOnce(query, schema, () => (reads += 1));
    assert.equal(reads, 2);
  });
});
