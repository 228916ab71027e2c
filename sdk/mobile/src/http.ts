// One request to the service, and what its answer means. A captive portal or proxy can answer anything, so an answer counts only
// if it has the shape of the service's own.
import { parseRetryAfter } from './retry.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export type Answer =
  | { readonly kind: 'ok'; readonly body: Record<string, unknown> }
  /** The service refused: `code` is stable, see docs/errors.md. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly details: unknown;
    }
  /** Nothing is known about the request: it may have been carried out. */
  | {
      readonly kind: 'transient';
      readonly reason: string;
      readonly retryAfterMs: number | null;
      /** A proxy answered 413: fewer items may pass it. */
      readonly isTooLarge?: true;
    };

export type Http = {
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  now(): number;
};

/** Statuses after which the same request can succeed. */
const TRANSIENT = new Set([408, 425, 429]);

/** An aborted `signal` ends the request, like the timeout. */
export async function request(http: Http, url: string, init: RequestInit, signal?: AbortSignal): Promise<Answer> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, http.timeoutMs);
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  try {
    const response = await http.fetch(url, { ...init, signal: controller.signal });
    return judge(response, response.status === 204 ? '' : await response.text(), http.now());
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'network error';
    const ended = signal?.aborted ? 'aborted' : 'timeout';
    return { kind: 'transient', reason: controller.signal.aborted ? ended : reason, retryAfterMs: null };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

function judge({ status, headers }: Response, text: string, nowMs: number): Answer {
  const retryAfterMs = parseRetryAfter(headers.get('retry-after'), headers.get('date'), nowMs);
  if (status === 204) return { kind: 'ok', body: {} };
  const body = parseObject(text);
  if (status === 200 && body !== null) return { kind: 'ok', body };
  const { error: code, message, details } = body ?? {};
  const isOurs = typeof code === 'string' && typeof message === 'string';
  if (status < 400 || status >= 500 || TRANSIENT.has(status) || !isOurs)
    return {
      kind: 'transient',
      reason: isOurs ? code : `HTTP ${status}`,
      retryAfterMs,
      ...(status === 413 && { isTooLarge: true }),
    };
  return { kind: 'refused', status, code, message, details };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

export function jsonRequest(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
