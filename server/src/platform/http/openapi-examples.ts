// Recorded requests and responses, as examples in the OpenAPI document.
import type { Form } from '../../domain/tenancy.ts';
import type { Json } from './openapi-components.ts';

/** A call that was recorded from a running service. */
export type RecordedCall = {
  /** Null: both forms have the same shape. */
  readonly form: Form | null;
  readonly status: number;
  readonly request?: unknown;
  readonly response?: unknown;
  /** Of the response, if it is another than the first that the operation lists. */
  readonly mediaType?: string;
};

export type RecordedExamples = {
  /** By operation. */
  readonly calls: Readonly<Record<string, readonly RecordedCall[]>>;
  /** By code. */
  readonly errors: Readonly<Record<string, unknown>>;
  /** By type of the event. */
  readonly webhooks: Readonly<Record<string, unknown>>;
};

export const NO_EXAMPLES: RecordedExamples = { calls: {}, errors: {}, webhooks: {} };

type Example = { readonly form: Form | null; readonly value: unknown; readonly mediaType?: string };

/** The keywords of a media type. */
export function showExamples(examples: readonly Example[]): Json {
  const [first, ...others] = examples;
  if (first === undefined) return {};
  if (others.length === 0) return { example: first.value };
  return {
    examples: Object.fromEntries(
      examples.map(({ form, value }) => [`form${form}`, { summary: `Form ${form}`, value }]),
    ),
  };
}

export function findRequests(calls: readonly RecordedCall[]): Example[] {
  return distinct(
    calls.filter(({ request }) => request !== undefined).map(({ form, request }) => ({ form, value: request })),
  );
}

export function findResponses(calls: readonly RecordedCall[], status: number, mediaType?: string): Example[] {
  return calls
    .filter((call) => call.status === status && call.response !== undefined && call.mediaType === mediaType)
    .map(({ form, response }) => ({ form, value: response }));
}

/** Examples of errors are components, because most calls can fail with the same codes. */
export function showErrors(codes: readonly string[], { errors }: RecordedExamples): Json {
  const known = codes.filter((code) => code in errors);
  if (known.length === 0) return {};
  return { examples: Object.fromEntries(known.map((code) => [code, { $ref: `#/components/examples/${code}` }])) };
}

function distinct(examples: readonly Example[]): Example[] {
  return [...new Map(examples.map((example) => [JSON.stringify(example.value), example])).values()];
}

type Content = { readonly example?: unknown; readonly examples?: Record<string, { value?: unknown; $ref?: string }> };
type Body = { readonly content?: Record<string, Content> };
type Operation = {
  readonly operationId: string;
  readonly requestBody?: Body;
  readonly responses: Record<string, Body>;
};
type Described = Record<string, Record<string, Operation>>;

/** The examples that a document was made with. */
export function collectExamples(document: Json): RecordedExamples {
  const { paths, webhooks, components } = document as {
    paths: Described;
    webhooks: Described;
    components: { examples: Record<string, { value: unknown }> };
  };
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  return {
    calls: Object.fromEntries(operations.map((operation) => [operation.operationId, collectCalls(operation)])),
    errors: Object.fromEntries(Object.entries(components.examples).map(([code, { value }]) => [code, value])),
    webhooks: Object.fromEntries(
      Object.entries(webhooks).map(([type, { post }]) => [type, listExamples(post?.requestBody)[0]?.value]),
    ),
  };
}

function collectCalls({ requestBody, responses }: Operation): RecordedCall[] {
  const requests = listExamples(requestBody).map(({ form, value }) => ({ form, status: 0, request: value }));
  const replies = Object.entries(responses).flatMap(([status, body]) =>
    listExamples(body).map(({ value, ...example }) => ({ ...example, status: Number(status), response: value })),
  );
  return [...requests, ...replies];
}

function listExamples(body: Body | undefined): Example[] {
  return Object.entries(body?.content ?? {}).flatMap(([type, { example, examples = {} }], index) => {
    const mediaType = index > 0 && { mediaType: type };
    return [
      ...(example === undefined ? [] : [{ form: null, value: example, ...mediaType }]),
      ...Object.entries(examples)
        .filter(([, { $ref }]) => $ref === undefined)
        .map(([name, { value }]) => ({ form: FORMS[name] ?? null, value, ...mediaType })),
    ];
  });
}

const FORMS: Readonly<Record<string, Form>> = { form1: 1, form2: 2 };
