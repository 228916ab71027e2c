import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createComponents } from './openapi-components.ts';

const color = { type: 'string', title: 'Color', enum: ['red', 'blue'] };
const car = { type: 'object', title: 'Car', required: ['color'], properties: { color } };

describe('createComponents', () => {
  it('replaces named schemas by references', () => {
    const components = createComponents();
    const list = components.refer({ type: 'array', items: car });
    assert.deepEqual(list, { type: 'array', items: { $ref: '#/components/schemas/Car' } });
    assert.deepEqual(components.list(), {
      Car: { type: 'object', required: ['color'], properties: { color: { $ref: '#/components/schemas/Color' } } },
      Color: { type: 'string', enum: ['red', 'blue'] },
    });
  });

  it('keeps null, the description and the default of a use outside of the component', () => {
    const components = createComponents();
    const nullable = { ...color, type: ['string', 'null'], enum: ['red', 'blue', null], description: 'of the roof' };
    const $ref = '#/components/schemas/Color';
    assert.deepEqual(components.refer(nullable), { anyOf: [{ $ref }, { type: 'null' }], description: 'of the roof' });
    assert.deepEqual(components.refer({ ...color, default: 'red' }), { $ref, default: 'red' });
    assert.deepEqual(components.list(), { Color: { type: 'string', enum: ['red', 'blue'] } });
  });

  it('writes dictionaries with additionalProperties', () => {
    const { refer } = createComponents();
    const dictionary = { type: 'object', patternProperties: { '^.*$': { type: 'number' } } };
    assert.deepEqual(refer(dictionary), { type: 'object', additionalProperties: { type: 'number' } });
  });

  it('rejects two schemas with the same title', () => {
    const { refer } = createComponents();
    refer(color);
    assert.throws(() => refer({ ...color, enum: ['green'] }), /two schemas have the title Color/);
  });
});
