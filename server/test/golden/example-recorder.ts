// Records calls of the API as examples for the OpenAPI document. Ids, secrets and cursors get values that are the same on every run.
import assert from 'node:assert/strict';
import type { Form } from '../../src/domain/tenancy.ts';
import type { RecordedCall } from '../../src/platform/http/openapi-examples.ts';
import type { Answer, JsonBody, TestApi } from '../support/test-api.ts';

type Call = {
  readonly form?: Form;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Shortens a long response. */
  readonly shorten?: (body: JsonBody) => unknown;
  /** Of the response, if it is another than the first that the operation lists. */
  readonly mediaType?: string;
};

type ExampleRecorder = {
  readonly calls: Record<string, RecordedCall[]>;
  readonly errors: Record<string, unknown>;
  /** Records the request and the successful response of an operation. */
  record(api: TestApi, operationId: string, method: string, path: string, call?: Call): Promise<Answer>;
  /** The same call once per form. `path` and `body` may depend on the form. */
  recordForms(
    api: TestApi,
    operationId: string,
    method: string,
    of: (form: Form) => { path: string } & Call,
  ): Promise<void>;
  /** Records an error by its code. */
  refuse(api: TestApi, code: string, method: string, path: string, call?: Call & { raw?: string }): Promise<void>;
  /** Replaces what differs between runs. */
  steady(value: unknown): unknown;
};

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** By the name of the field. */
const SECRETS: Readonly<Record<string, string>> = {
  token: 'example-token',
  client_token: 'ct_example',
  access_token: 'sat_example',
  refresh_token: 'srt_example',
  secret: 'whsec_ZXhhbXBsZS1zZWNyZXQtb2YtYS13ZWJob29r',
  cursor: 'example-cursor',
  next_cursor: 'example-cursor',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: 'example-key',
  request_id: 'example-request',
  runtime: 'node v26.10.0',
};
const NUMBERS: Readonly<Record<string, number>> = { duration_ms: 42, lag_seconds: 0, waiting: 0 };

export function createRecorder(serviceUrl: string): ExampleRecorder {
  const calls: Record<string, RecordedCall[]> = {};
  const errors: Record<string, unknown> = {};
  const ids = new Map<string, string>();

  function steadyText(text: string): string {
    return text
      .replaceAll(serviceUrl, 'http://127.0.0.1:8080')
      .replace(/http:\/\/127\.0\.0\.1:\d+\/hook/g, 'https://example.com/webhooks')
      .replace(/\/connect\/[\w.-]+/g, '/connect/example')
      .replace(/ada\.[0-9a-f-]+@/g, 'ada@')
      .replace(UUID, (id) => {
        if (id.startsWith('00000000-0000')) return id;
        const known = ids.get(id) ?? `0190a000-0000-7000-8000-${String(ids.size + 1).padStart(12, '0')}`;
        ids.set(id, known);
        return known;
      });
  }

  function steady(value: unknown, name = ''): unknown {
    if (typeof value === 'string') return SECRETS[name] ?? steadyText(value);
    if (typeof value === 'number') return NUMBERS[name] ?? value;
    if (Array.isArray(value)) return value.map((each) => steady(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, steady(each, key)]));
  }

  const send = (api: TestApi, method: string, path: string, { form, body, headers }: Call) =>
    api.call(method, path, {
      ...(body !== undefined && { body }),
      headers: { ...(form && { 'api-form': String(form) }), ...headers },
    });

  const record: ExampleRecorder['record'] = async (api, operationId, method, path, call = {}) => {
    const answer = await send(api, method, path, call);
    assert.ok(answer.status < 300, `${operationId}: ${answer.status} ${answer.text}`);
    const response = answer.body ?? (answer.text === '' ? undefined : answer.text);
    calls[operationId] ??= [];
    calls[operationId].push({
      form: call.form ?? null,
      status: answer.status,
      ...(call.body !== undefined && { request: steady(call.body) }),
      ...(response !== undefined && { response: steady(call.shorten ? call.shorten(response) : response) }),
      ...(call.mediaType !== undefined && { mediaType: call.mediaType }),
    });
    if (call.mediaType !== undefined) assert.equal(answer.headers.get('content-type'), call.mediaType);
    return answer;
  };

  return {
    calls,
    errors,
    record,
    async recordForms(api, operationId, method, of) {
      for (const form of [1, 2] as const) {
        const { path, ...call } = of(form);
        await record(api, operationId, method, path, { ...call, form });
      }
    },
    async refuse(api, code, method, path, { raw, ...call } = {}) {
      const answer =
        raw === undefined ? await send(api, method, path, call) : await api.call(method, path, { raw, ...call });
      assert.equal(answer.body.error, code, `${method} ${path}: ${answer.text}`);
      errors[code] = steady(answer.body);
    },
    steady,
  };
}

/** Names and types without values, so that a comparison does not depend on numbers that change with the catalog or the schema. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}
