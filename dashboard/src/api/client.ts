// Calls of the dashboard's API. One place adds the header that changes need, reads errors, and reacts to a lost session or a
// lost connection.
import { ApiError } from './api-error.ts';
import { reportAnswer, reportNoAnswer } from './connection.ts';

export { ApiError, isApiError } from './api-error.ts';

/** Undefined values are skipped. */
type QueryValues = Readonly<Record<string, string | number | boolean | undefined>>;

type CallOptions = {
  readonly query?: QueryValues;
  readonly signal?: AbortSignal;
  /** False for calls whose 401 is an answer about the form, not about the session. */
  readonly needsSession?: boolean;
  /** True for calls that concern the session alone, whatever its account is now. */
  readonly isOfAnyAccount?: boolean;
};

type Handlers = {
  /** The session is missing or has ended. */
  signedOut(): void;
  /** Another tab opened another account: nothing on screen belongs to the session any more. */
  accountChanged(): void;
  /** Asks for the password again. False: the person declined. */
  confirm(): Promise<boolean>;
};

const PREFIX = '/dashboard/api';
const handlers: Handlers = {
  signedOut: () => undefined,
  accountChanged: () => undefined,
  confirm: async () => false,
};
let shownAccount: string | null = null;

export function handleSession(given: Handlers): void {
  Object.assign(handlers, given);
}

/** The account on screen. The service refuses calls once the session has another one. */
export function showAccount(accountId: string): void {
  shownAccount = accountId;
}

/** Paths begin after /dashboard/api: `/session`, `/live/keys`, `/sandbox/v1/users`. */
export const api = {
  get: <T>(path: string, options?: CallOptions): Promise<T> => call('GET', path, undefined, options),
  post: <T>(path: string, body?: unknown, options?: CallOptions): Promise<T> => call('POST', path, body, options),
  put: <T>(path: string, body?: unknown, options?: CallOptions): Promise<T> => call('PUT', path, body, options),
  /** A part of a file. */
  putBytes: <T>(path: string, bytes: Blob, options?: CallOptions): Promise<T> => call('PUT', path, bytes, options),
  patch: <T>(path: string, body?: unknown, options?: CallOptions): Promise<T> => call('PATCH', path, body, options),
  delete: <T>(path: string, options?: CallOptions): Promise<T> => call('DELETE', path, undefined, options),
  /** The list of a GET as a CSV text. */
  csv: async (path: string, options?: CallOptions): Promise<string> => {
    const response = await send('GET', path, undefined, { ...options, accept: 'text/csv' });
    if (!response.ok) throw await readError(response);
    return response.text();
  },
  /** The body of a stream. Its failures do not end the session: the next call does. */
  stream: async (path: string, options: { readonly signal: AbortSignal; readonly lastId: string | null }) => {
    const accept = 'text/event-stream';
    const response = await send('GET', path, undefined, { ...options, accept });
    if (!response.ok || response.body === null) throw await readError(response);
    return response.body;
  },
};

async function call<T>(method: string, path: string, body: unknown, options: CallOptions = {}): Promise<T> {
  const response = await send(method, path, body, options);
  if (response.ok) return readBody(response) as Promise<T>;
  const error = await readError(response);
  if (error.code === 'confirmation_required' && (await handlers.confirm())) {
    const repeated = await send(method, path, body, options);
    if (repeated.ok) return readBody(repeated) as Promise<T>;
    throw await readError(repeated);
  }
  if (error.status === 401 && options.needsSession !== false) handlers.signedOut();
  throw error;
}

async function send(
  method: string,
  path: string,
  body: unknown,
  options: CallOptions & { accept?: string; lastId?: string | null },
): Promise<Response> {
  const { query, signal, accept = 'application/json', lastId, isOfAnyAccount = false } = options;
  try {
    const response = await fetch(`${PREFIX}${path}${formatQuery(query)}`, {
      method,
      headers: {
        accept,
        ...(lastId && { 'last-event-id': lastId }),
        ...(method !== 'GET' && { 'x-tributary': 'dashboard' }),
        ...(shownAccount !== null && !isOfAnyAccount && { 'x-tributary-account': shownAccount }),
        ...(body !== undefined && {
          'content-type': body instanceof Blob ? 'application/octet-stream' : 'application/json',
        }),
      },
      ...(body !== undefined && { body: body instanceof Blob ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    reportAnswer();
    return response;
  } catch (error) {
    if (signal?.aborted) throw error;
    reportNoAnswer();
    throw new ApiError({
      status: 0,
      code: 'no_answer',
      message: 'The service did not answer. Check that it is running and that you are online.',
      requestId: null,
    });
  }
}

function formatQuery(query: QueryValues = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  return text === '' ? null : JSON.parse(text);
}

async function readError(response: Response): Promise<ApiError> {
  const body = await readBody(response).catch(() => null);
  const { error, message, details, request_id } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  if (error === 'account_changed') handlers.accountChanged();
  return new ApiError({
    status: response.status,
    code: typeof error === 'string' ? error : 'unreadable_answer',
    message: typeof message === 'string' ? message : `The service answered ${response.status}.`,
    requestId: typeof request_id === 'string' ? request_id : response.headers.get('x-request-id'),
    details: typeof details === 'object' && details !== null ? (details as Record<string, unknown>) : {},
  });
}
