import assert from 'node:assert/strict';
import { test } from 'node:test';
import TypeBox from 'typebox';
import { Type } from './json-schema.ts';

test('schemas are the same JSON as those that TypeBox makes', () => {
  const options = { description: 'text' };
  const make = (maker: Pick<typeof TypeBox, Exclude<keyof typeof Type, 'Dictionary'>>) =>
    maker.Object(
      {
        text: maker.String({ minLength: 1, ...options }),
        count: maker.Optional(maker.Integer({ minimum: 0 })),
        share: maker.Number(),
        list: maker.Array(maker.Boolean(), { maxItems: 3 }),
        anything: maker.Optional(maker.Unsafe<string | null>({ type: ['string', 'null'] })),
        inner: maker.Object({ only: maker.Optional(maker.String()) }),
      },
      { additionalProperties: false, $id: 'Sample' },
    );
  assert.equal(JSON.stringify(make(Type)), JSON.stringify(make(TypeBox)));
  assert.equal(
    JSON.stringify(Type.Dictionary(Type.Number(), options)),
    JSON.stringify(TypeBox.Record(TypeBox.String(), TypeBox.Number(), options)),
  );
});

test('a schema that is optional in one place is required in another', () => {
  const text = Type.String();
  assert.equal(JSON.stringify(Type.Object({ text: Type.Optional(text) }).required), undefined);
  assert.deepEqual(Type.Object({ text }).required, ['text']);
});
