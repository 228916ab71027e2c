// Checks a response against the published OpenAPI document: the status is declared, the headers are there, and the body fits its schema.
import assert from 'node:assert/strict';
import Schema from 'typebox/schema';
import { describePublicApi } from '../../src/api-document.ts';

type JsonSchema = Record<string, unknown> & { $ref?: string; anyOf?: JsonSchema[] };
type Response = { readonly headers?: object; readonly content?: Record<string, { schema: JsonSchema }> };
type Operation = { readonly responses: Record<string, Response> };
type Document = {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly headers: Record<string, { required?: true }> };
};

const document = JSON.parse(JSON.stringify(describePublicApi())) as Document;
const templates = Object.entries(document.paths).map(([path, operations]) => ({
  pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
  operations,
}));
const validators = new Map<JsonSchema, Schema.Validator>();

export function checkAgainstDocument(
  call: { method: string; path: string },
  answer: { status: number; headers: Headers; body: unknown },
): void {
  const [path = ''] = call.path.split('?', 1);
  const found = templates.find(({ pattern }) => pattern.test(path));
  const operation = found?.operations[call.method.toLowerCase()];
  if (!operation) return; // not a published endpoint: the protocol defines its responses
  const what = `${call.method} ${call.path}: ${answer.status}`;
  const response = operation.responses[answer.status];
  assert.ok(response, `${what} is not declared in the OpenAPI document`);
  const required = Object.keys(response.headers ?? {}).filter((name) => document.components.headers[name]?.required);
  const missing = required.filter((name) => !answer.headers.has(name));
  assert.deepEqual(missing, [], `${what} lacks declared headers`);
  const mediaType = answer.headers.get('content-type');
  if (mediaType === null) {
    assert.equal(response.content, undefined, `${what} has no content`);
    return;
  }
  const content = Object.entries(response.content ?? {}).find(([name]) => essence(name) === essence(mediaType));
  assert.ok(content, `${what}: ${mediaType} is not declared in the OpenAPI document`);
  if (essence(mediaType) !== 'application/json') return;
  const schema = schemaOfForm(content[1].schema, answer.headers.get('api-form'));
  const validator = validatorOf(schema);
  // Not the message of an assertion: listing the problems takes many times as long as the check.
  if (!validator.Check(answer.body))
    assert.fail(`${what} does not fit its schema: ${JSON.stringify(validator.Errors(answer.body)[1])}`);
}

/** A response of Form 1 has to fit Form 1's schema, not just one of the two. */
function schemaOfForm(schema: JsonSchema, form: string | null): JsonSchema {
  const isForm1 = ({ $ref }: JsonSchema) => $ref?.endsWith('Form1') ?? false;
  const choices = schema.anyOf ?? [];
  if (!choices.some(isForm1)) return schema;
  return choices.find((choice) => isForm1(choice) === (form === '1')) ?? schema;
}

function validatorOf(schema: JsonSchema): Schema.Validator {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Schema.Compile({ ...schema, components: document.components } as Schema.XSchema) as Schema.Validator;
    validators.set(schema, validator);
  }
  return validator;
}

function essence(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim();
}
