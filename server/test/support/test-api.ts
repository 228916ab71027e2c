// A small HTTP client for tests that also checks the rules for every response.
import assert from 'node:assert/strict';
import { gunzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { checkAgainstDocument } from './published-api.ts';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed; `never` is assignable to whatever the test expects. */
  readonly body: JsonBody;
};
// biome-ignore lint/suspicious/noExplicitAny: a test reads any field of any body; a wrong one fails the assertion.
export type JsonBody = any;

type CallOptions = { body?: unknown; raw?: string | Buffer<ArrayBuffer>; headers?: Record<string, string> };
export type TestApi = {
  get(path: string, options?: CallOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  patch(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  put(path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  delete(path: string, options?: CallOptions): Promise<Answer>;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
};

/** `isPublished`: whether the OpenAPI document describes these endpoints. */
export function createApi(
  baseUrl: string,
  token: string | null,
  isPublished = true,
  socketPath: string | null = null,
): TestApi {
  const connection = socketPath === null ? {} : { dispatcher: new Agent({ connect: { socketPath } }) };
  const call = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const payload = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await request(baseUrl + path, {
      ...connection,
      method: method as 'GET', // any other too
      headers: {
        ...HEADERS,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(payload === undefined ? {} : { body: payload }),
    });
    const headers = toHeaders(response.headers);
    const text = await readText(response.body, headers);
    const isJson = headers.get('content-type')?.startsWith('application/json') === true;
    const answer = {
      status: response.statusCode,
      headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : null,
    };
    checkEveryAnswer(answer, method, path);
    if (isPublished) checkAgainstDocument({ method, path }, answer);
    return answer;
  };
  return {
    call,
    get: (path, options) => call('GET', path, options),
    post: (path, body, options) => call('POST', path, { ...options, body }),
    patch: (path, body, options) => call('PATCH', path, { ...options, body }),
    put: (path, body, options) => call('PUT', path, { ...options, body }),
    delete: (path, options) => call('DELETE', path, options),
  };
}

/** Those of `fetch`, which itself takes three times as long per call. */
const HEADERS = { accept: '*/*', 'accept-encoding': 'gzip', 'user-agent': 'node' };

function toHeaders(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(received))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  return headers;
}

async function readText(body: { arrayBuffer(): Promise<ArrayBuffer> }, headers: Headers): Promise<string> {
  const bytes = Buffer.from(await body.arrayBuffer());
  const isPacked = headers.get('content-encoding') === 'gzip' && bytes.length > 0; // a response to HEAD has no bytes
  return (isPacked ? gunzipSync(bytes) : bytes).toString('utf8');
}

const seenRequestIds = new Set<string>();

/** Rules for every response: request id, form, error shape, no cookies. */
function checkEveryAnswer(answer: Answer, method: string, path: string): void {
  const what = `${method} ${path}`;
  const { headers, status } = answer;
  const requestId = headers.get('x-request-id') ?? '';
  assert.match(requestId, /^req_\w+$/, `${what}: request id`);
  assert.ok(!seenRequestIds.has(requestId), `${what}: request id given twice`);
  seenRequestIds.add(requestId);
  assert.match(headers.get('api-form') ?? '', /^[12]$/, `${what}: form`);
  assert.deepEqual(headers.get('vary')?.split(', ').slice(0, 2), ['Api-Form', 'Authorization'], `${what}: vary`);
  if (!path.startsWith('/dashboard/')) assert.equal(headers.get('set-cookie'), null, `${what}: no cookies`);
  if (status < 400 || method === 'HEAD' || (path === '/readyz' && status === 503)) return;
  assert.match(headers.get('content-type') ?? '', /^application\/json/, `${what}: errors are JSON`);
  assert.deepEqual(
    Object.keys(answer.body ?? {}),
    ['error', 'message', 'details'],
    `${what}: error shape: ${answer.text}`,
  );
  assert.equal(typeof answer.body.details, 'object');
  if (status === 401) assert.match(headers.get('www-authenticate') ?? '', /^Bearer\b/, `${what}: challenge`);
  if (status === 429 || status === 503) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/, `${what}: retry`);
}
