// The examples of the published document: none is missing, and each fits its schema.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import Schema from 'typebox/schema';
import { describePublicApi } from '../../src/api-document.ts';
import { collectExamples } from '../../src/platform/http/openapi-examples.ts';

type Json = Record<string, unknown>;
type Content = { schema: Json; example?: unknown; examples?: Record<string, { value?: unknown; $ref?: string }> };
type Body = { content?: Record<string, Content> };
type Operation = {
  operationId: string;
  parameters?: { name: string; required: boolean }[];
  requestBody?: Body;
  responses: Record<string, Body>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { examples: Record<string, { value: unknown }> };
};

const published = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
) as Document;
const documents: readonly [string, Document][] = [
  ['both forms', published],
  ['Form 1', describePublicApi(collectExamples(published), 1) as unknown as Document],
  ['Form 2', describePublicApi(collectExamples(published), 2) as unknown as Document],
];

const BINARY = 'application/vnd.apache.parquet';
/** Files of the reference page. */
const WITHOUT_EXAMPLE = ['readDocsStart', 'readDocsStyle', 'readDocsScript'];

function listContents({ paths, webhooks }: Document): { name: string; content: Content }[] {
  return [...Object.values(paths), ...Object.values(webhooks)]
    .flatMap((item) => Object.values(item))
    .filter(({ operationId }) => !WITHOUT_EXAMPLE.includes(operationId))
    .flatMap(({ operationId, requestBody, responses }) => [
      ...list(`${operationId} request`, requestBody),
      ...Object.entries(responses).flatMap(([status, response]) => list(`${operationId} ${status}`, response)),
    ]);
}

function list(name: string, body: Body | undefined): { name: string; content: Content }[] {
  return Object.entries(body?.content ?? {}).map(([type, content]) => ({ name: `${name} ${type}`, content }));
}

function valuesOf({ example, examples = {} }: Content): unknown[] {
  const named = Object.values(examples).map(({ value, $ref }) =>
    $ref === undefined ? value : published.components.examples[$ref.split('/').at(-1) ?? '']?.value,
  );
  return example === undefined ? named : [example, ...named];
}

for (const [title, document] of documents)
  describe(`examples of the OpenAPI document of ${title}`, () => {
    const contents = listContents(document);

    it('exist for every request, response and error', () => {
      assert.ok(contents.length > 500);
      const shown = new Set(contents.filter(({ content }) => valuesOf(content).length > 0).map(({ name }) => name));
      assert.deepEqual(
        contents.map(({ name }) => name).filter((name) => !shown.has(name) && !name.endsWith(BINARY)),
        [],
        'record the call in test/golden/examples.test.ts',
      );
    });

    it('fit their schemas', () => {
      const validators = new Map<string, Schema.Validator>();
      for (const { name, content } of contents) {
        const key = JSON.stringify(content.schema);
        const validator =
          validators.get(key) ??
          (Schema.Compile({
            ...content.schema,
            components: document.components,
          } as Schema.XSchema) as Schema.Validator);
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

describe('the OpenAPI document of one form', () => {
  for (const [form, other] of [
    [1, 2],
    [2, 1],
  ] as const)
    it(`names nothing of Form ${other} in the document of Form ${form}`, () => {
      const [, document] = documents[form] ?? assert.fail();
      const text = JSON.stringify(document);
      assert.match(text, new RegExp(`schemas/UserForm${form}"`));
      assert.doesNotMatch(text, new RegExp(`schemas/\\w+Form${other}"|"Form ${other}\\.`));
    });

  it('requires the dates that a form requires', () => {
    const dates = documents.map(([, { paths }]) => {
      const { parameters = [] } = paths['/v1/users/{user_id}/sleep']?.get ?? {};
      return parameters.flatMap(({ name, required }) => (/_date$/.test(name) ? [`${name}: ${required}`] : []));
    });
    assert.deepEqual(dates, [
      ['start_date: false', 'end_date: false', 'from_date: false', 'to_date: false'],
      ['start_date: true', 'end_date: true'],
      ['from_date: false', 'to_date: false'],
    ]);
  });

  it('is made from the examples of the published document, without a loss', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(describePublicApi(collectExamples(published)))), published);
  });
});
