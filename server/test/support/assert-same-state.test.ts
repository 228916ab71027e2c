import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertSameState } from './assert-same-state.ts';

function messageOf(actual: unknown, expected: unknown): string {
  try {
    assertSameState(actual, expected, 'other');
  } catch (error) {
    assert.ok(error instanceof assert.AssertionError);
    assert.deepEqual([error.actual, error.expected], [undefined, undefined], 'whoever reports it would print them');
    return error.message;
  }
  return 'the same';
}

describe('assertSameState', () => {
  it('accepts deeply equal states', () => {
    const make = () => ({ at: new Date(5), bytes: Buffer.from('ab'), days: new Map([['a', [Number.NaN, null]]]) });
    assert.equal(messageOf(make(), make()), 'the same');
  });

  it('lists values that differ and values that only one side has', () => {
    const one = { days: [{ value: 5, at: new Date(0) }, 'b'], of: new Map([['steps', Buffer.from('a')]]) };
    const other = {
      days: [{ value: 6, at: new Date(1) }, 'b', 'c'],
      of: new Map([['steps', Buffer.from('b')]]),
      n: null,
    };
    assert.equal(
      messageOf(one, other),
      [
        'other:',
        'the whole: 2 entries, not 3',
        'days: 2 entries, not 3',
        'days[0].value: 5, not 6',
        'days[0].at: 1970-01-01T00:00:00.000Z, not 1970-01-01T00:00:00.001Z',
        "days[2]: undefined, not 'c'",
        'and more',
      ].join('\n  '),
    );
  });

  it('distinguishes values of different kinds with equal parts', () => {
    for (const [one, other] of [
      [[], {}],
      [0, -0],
      [{ a: undefined }, {}],
      [new Map([[1, 2]]), new Map([['1', 2]])],
      [{ __proto__: null, a: 1 }, { a: 1 }],
    ])
      assert.match(messageOf(one, other), /^other:\n {2}\S/);
  });

  it('keeps the message short, whatever the size of the states', () => {
    const make = (shift: number) =>
      Array.from({ length: 100_000 }, (_, index) => ({
        samples: Array(20).fill(index + shift),
        text: 'x'.repeat(1_000),
      }));
    const message = messageOf(make(0), make(1));
    assert.ok(message.length < 1_000, message);
    assert.ok(messageOf('x'.repeat(1e7), 'y'.repeat(1e7)).length < 1_000);
  });
});
