// One request and its whole response, or the beginning of a stream, within a time limit.
import { type OpenedBody, openBody } from './export-stream.ts';
import type { RequestHeaders } from './request-headers.ts';
import type { TimeLimit, WaitLimit } from './time-limit.ts';

export type Request = {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaders;
  readonly body: string | null;
};

export type AttemptOutcome =
  | { readonly kind: 'reply'; readonly body: unknown }
  | { readonly kind: 'stream'; readonly opened: OpenedBody }
  | { readonly kind: 'error'; readonly status: number; readonly text: string; readonly headers: Headers }
  | { readonly kind: 'lost'; readonly cause: unknown; readonly isTimeout: boolean; readonly wasSent: boolean };

type AttemptOptions = {
  readonly fetch: typeof globalThis.fetch;
  readonly startLimit: () => TimeLimit;
  /** Instead of `startLimit`, for a response that is streamed. */
  readonly startWaitLimit?: () => WaitLimit;
  readonly signal?: AbortSignal | undefined;
};

/** Throws the reason of `signal` if it is aborted. */
export async function attempt(request: Request, options: AttemptOptions): Promise<AttemptOutcome> {
  const { fetch, signal } = options;
  signal?.throwIfAborted();
  const { method, url, headers, body } = request;
  const waitLimit = options.startWaitLimit?.();
  const limit = waitLimit ?? options.startLimit();
  let isOpen = false;
  try {
    // A redirect would lose the body or the token, so it is an error: the base URL is wrong.
    const response = await fetch(url, { method, headers, body, redirect: 'manual', signal: limit.signal });
    if (response.status === 204) return { kind: 'reply', body: undefined };
    if (response.ok && waitLimit !== undefined) {
      const opened = await openBody(response, waitLimit);
      isOpen = true;
      return { kind: 'stream', opened };
    }
    if (response.ok) return { kind: 'reply', body: await readJson(response) };
    return { kind: 'error', status: response.status, text: await response.text(), headers: response.headers };
  } catch (cause) {
    signal?.throwIfAborted();
    const isTimeout = limit.signal.aborted;
    return { kind: 'lost', cause, isTimeout, wasSent: isTimeout || wasSent(cause) };
  } finally {
    if (!isOpen) limit.end();
  }
}

/** In Node, 3 % of a fetch cheaper than `response.json()`. Some replacements of fetch have no stream. */
async function readJson(response: Response): Promise<unknown> {
  if (!response.body) return response.json();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return JSON.parse(text + decoder.decode());
    text += decoder.decode(value, { stream: true });
  }
}

const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Node says why a connection failed. Browsers do not, so a request counts as sent. */
function wasSent(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: unknown } };
  return !NOT_SENT.has(String(cause?.code));
}
