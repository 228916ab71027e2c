// Sends one request of a connector over HTTP: URL, credentials, body, response.
import type { OutboundAnswer, OutboundHeaders } from '../../../platform/outbound/index.ts';
import type { Services } from '../../../platform/services.ts';
import type {
  ClientCredentials,
  ProviderAnswer,
  ProviderFailure,
  ProviderRequest,
} from '../../../providers/contract.ts';
import { parseJsonBytes } from '../../../providers/parse-json.ts';
import type { ProviderApp } from '../provider-apps/index.ts';

/** `bytes`: the raw response that `body` was parsed from. */
export type ProviderReply = ProviderAnswer & { readonly bytes: Buffer };

/** No usable response, or none at all. */
type CallFailure = { readonly failed: string };

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 32 * 1_048_576; // a page with a month of minute values
/** A day with a record per second. The parser takes half a second per megabyte, in which nothing else runs. */
const MAX_FILE_BYTES = 8 * 1_048_576;
const TOO_LARGE = 413;

export async function callProvider(
  { outbound, ownOutbound }: Pick<Services, 'outbound' | 'ownOutbound'>,
  app: ProviderApp,
  request: ProviderRequest,
  accessToken: string | null,
): Promise<ProviderReply | CallFailure> {
  const client = app.environment === 'sandbox' ? ownOutbound : outbound; // the simulator runs on this machine
  const isFile = request.accepts === 'file';
  const answer = await client.request(request.method, urlOf(app, request), {
    headers: {
      accept: isFile ? '*/*' : 'application/json',
      ...(request.form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...(request.origin === 'api' && app.provider.apiHeaders?.(app.client)),
      ...authorize(app, request, accessToken),
      ...request.headers,
    },
    ...writeBody(app, request),
    kind: 'provider',
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: isFile ? MAX_FILE_BYTES : MAX_ANSWER_BYTES,
  });
  return isFile ? readFile(answer) : readAnswer(answer);
}

/** Maps the HTTP status; null for success. */
export function failureOf({ status }: ProviderAnswer): ProviderFailure | null {
  if (status >= 200 && status < 300) return null;
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 429) return 'rate_limited';
  return status >= 500 || status === 408 ? 'unavailable' : 'bad_request';
}

function urlOf(app: ProviderApp, request: ProviderRequest): string {
  const { origin, path, query = {} } = request;
  const base = app.origins[origin];
  if (base === undefined) throw new Error(`${app.provider.id} has no origin "${origin}"`);
  const isInQuery = request.form === undefined && request.json === undefined;
  const search = new URLSearchParams(isInQuery ? { ...query, ...parametersOf(app, request) } : query).toString();
  return search === '' ? base + path : `${base}${path}?${search}`;
}

function authorize(
  { provider, client }: ProviderApp,
  { as, origin, form }: ProviderRequest,
  accessToken: string | null,
): Record<string, string> {
  if (as === 'nobody') return {};
  if (as === 'person') return accessToken === null ? {} : { authorization: `Bearer ${accessToken}` };
  const isTokenCall = origin === 'token' && form !== undefined;
  if (isTokenCall) return provider.oauth.clientAuthentication === 'basic' ? basic(client) : {};
  if (provider.applicationParameters !== undefined) return {};
  return { ...(provider.applicationHeaders?.(client) ?? basic(client)) };
}

/** Not for token requests, which have `clientAuthentication`. */
function parametersOf({ provider, client }: ProviderApp, { as, origin }: ProviderRequest): Record<string, string> {
  return as === 'application' && origin !== 'token' ? { ...provider.applicationParameters?.(client) } : {};
}

/** Both are form-encoded first (RFC 6749, 2.3.1). */
function basic({ clientId, clientSecret }: ClientCredentials): Record<string, string> {
  const pair = [clientId, clientSecret].map((part) => new URLSearchParams({ x: part }).toString().slice(2)).join(':');
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

function writeBody(app: ProviderApp, request: ProviderRequest) {
  const { provider, client } = app;
  const { as, origin, form, json } = request;
  if (json !== undefined) return { json };
  if (form === undefined) return {};
  const isInBody = as === 'application' && origin === 'token' && provider.oauth.clientAuthentication === 'body';
  const fields = isInBody
    ? { ...form, client_id: client.clientId, client_secret: client.clientSecret }
    : { ...form, ...parametersOf(app, request) };
  return { body: new URLSearchParams(fields).toString() };
}

/** The body of a failure is not a file. */
function readFile(answer: OutboundAnswer): ProviderReply | CallFailure {
  // As if the provider refused it: requested again, the file would be as large, and its page would never be stored.
  if (!answer.ok && answer.reason === 'too_large')
    return { status: TOO_LARGE, headers: {}, body: null, bytes: Buffer.alloc(0) };
  if (!answer.ok) return { failed: answer.message };
  const { status, body: bytes } = answer;
  const headers = readHeaders(answer.headers);
  const isSent = failureOf({ status, headers, body: null }) === null && bytes.length > 0;
  return { status, headers, body: isSent ? new Uint8Array(bytes) : null, bytes };
}

function readAnswer(answer: OutboundAnswer): ProviderReply | CallFailure {
  if (!answer.ok) return { failed: answer.message };
  const { status, body } = answer;
  const headers = readHeaders(answer.headers);
  if (body.length === 0) return { status, headers, body: null, bytes: body };
  try {
    return { status, headers, body: parseJsonBytes(body), bytes: body };
  } catch {
    // An error page is often HTML; a page of data that is cut off must not count as success.
    return failureOf({ status, headers, body: null }) === null
      ? { failed: 'The response is not JSON.' }
      : { status, headers, body: null, bytes: body };
  }
}

function readHeaders(headers: OutboundHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
