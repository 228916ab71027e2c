import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkMapping } from './check-mapping.ts';

describe('checkMapping', () => {
  it('accepts every field', () => {
    const mapping = {
      time: 'Zeit',
      columns: { Gewicht: { metric: 'weight' } },
      decimal: ',',
      timezone: 'Europe/Berlin',
    };
    assert.deepEqual(checkMapping(mapping), { mapping });
  });

  for (const [mapping, field] of [
    [[], ''],
    [{ tme: 'x' }, 'tme'],
    [{ time: 5 }, 'time'],
    [{ decimal: ';' }, 'decimal'],
    [{ timezone: 'Mars' }, 'timezone'],
    [{ columns: ['a'] }, 'columns'],
    [{ columns: { a: 'weight' } }, 'columns.a'],
    [{ columns: { a: { metric: 'weight', unit: 1 } } }, 'columns.a'],
  ] as const)
    it(`names the wrong field of ${JSON.stringify(mapping)}`, () => {
      const checked = checkMapping(mapping);
      assert.equal('problem' in checked ? checked.problem.field : null, field);
    });
});
