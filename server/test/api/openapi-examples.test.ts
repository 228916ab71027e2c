// The examples of the published document: none is missing, and each fits its schema.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import Schema from 'typebox/schema';

type Json = Record<string, unknown>;
type Content = { schema: Json; example?: unknown; examples?: Record<string, { value?: unknown; $ref?: string }> };
type Body = { content?: Record<string, Content> };
type Operation = { operationId: string; requestBody?: Body; responses: Record<string, Body> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, { value: unknown }> };
};

const document = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
) as Document;

/** Files of the reference page. */
const WITHOUT_EXAMPLE = ['readDocsStart', 'readDocsStyle', 'readDocsScript'];

const contents = [...Object.values(document.paths), ...Object.values(document.webhooks)]
  .flatMap((item) => Object.values(item))
  .filter(({ operationId }) => !WITHOUT_EXAMPLE.includes(operationId))
  .flatMap(({ operationId, requestBody, responses }) => [
    ...list(`${operationId} request`, requestBody),
    ...Object.entries(responses).flatMap(([status, response]) => list(`${operationId} ${status}`, response)),
  ]);

function list(name: string, body: Body | undefined): { name: string; content: Content }[] {
  return Object.values(body?.content ?? {}).map((content) => ({ name, content }));
}

function valuesOf({ example, examples = {} }: Content): unknown[] {
  const named = Object.values(examples).map(({ value, $ref }) =>
    $ref === undefined ? value : document.components.examples[$ref.split('/').at(-1) ?? '']?.value,
  );
  return example === undefined ? named : [example, ...named];
}

describe('examples of the OpenAPI document', () => {
  it('exist for every request, response and error', () => {
    assert.ok(contents.length > 500);
    const shown = new Set(contents.filter(({ content }) => valuesOf(content).length > 0).map(({ name }) => name));
    assert.deepEqual(
      contents.map(({ name }) => name).filter((name) => !shown.has(name)),
      [],
    );
  });

  it('fit their schemas', () => {
    const validators = new Map<string, Schema.Validator>();
    for (const { name, content } of contents) {
      const key = JSON.stringify(content.schema);
      const validator =
        validators.get(key) ??
        (Schema.Compile({ ...content.schema, components: document.components } as Schema.XSchema) as Schema.Validator);
      validators.set(key, validator);
      for (const value of valuesOf(content))
        assert.ok(validator.Check(value), `${name}: ${JSON.stringify(validator.Errors(value)[1])}`);
    }
  });

  it('show an event of every type with its own payload', () => {
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const [example] = list(type, post?.requestBody).flatMap(({ content }) => valuesOf(content)) as Json[];
      assert.equal(example?.event_type, type);
    }
  });
});
