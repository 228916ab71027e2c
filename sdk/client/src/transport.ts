// Sends a request until it succeeds, fails for good, or has been sent often enough.
import { ConnectionError, TimeoutError, type TributaryError } from './api-error.ts';
import { attempt, type Outcome, type Request } from './attempt.ts';
import { parseError } from './parse-error.ts';
import { canRetry, type Failure, mayHaveRun, parseRetryAfter, type RetryPolicy, retryDelayOf } from './retry.ts';

export type TransportOptions = RetryPolicy & {
  readonly fetch: typeof globalThis.fetch;
  /** For each attempt, including the whole response. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
};

export type Sent = {
  readonly isIdempotent: boolean;
  /** The result of a DELETE whose earlier attempt was lost and which finds nothing any more. */
  readonly whenGone?: unknown;
  /** Builds the request for each attempt, because a token may change. */
  build(): Request | Promise<Request>;
  /** True: a new token is there, so send the request once more. */
  renewToken(code: string): boolean;
};

export async function send(sent: Sent, options: TransportOptions): Promise<unknown> {
  const lost = { mayHaveRun: false };
  for (let attempts = 1; ; attempts += 1) {
    const request = await sent.build();
    const outcome = await attempt(request, options);
    if (outcome.kind === 'reply') return outcome.body;
    const error = errorOf(outcome, request, attempts);
    const failure = failureOf(outcome, error);
    if (failure.status === 404 && lost.mayHaveRun && request.init.method === 'DELETE') return sent.whenGone;
    if (failure.code !== null && sent.renewToken(failure.code)) continue;
    lost.mayHaveRun ||= mayHaveRun(failure);
    const delayMs = canRetry(failure, sent.isIdempotent) ? delayOf(outcome, attempts, options) : null;
    if (delayMs === null) throw error;
    await sleep(delayMs, options.signal);
  }
}

function delayOf(outcome: Outcome, attempts: number, options: TransportOptions): number | null {
  if (attempts > options.maxRetries) return null;
  const retryAfterMs = outcome.kind === 'error' ? parseRetryAfter(outcome.headers.get('retry-after')) : 0;
  return retryDelayOf(options, { attempt: attempts, retryAfterMs });
}

function failureOf(outcome: Outcome, error: TributaryError): Failure {
  if (outcome.kind === 'lost') return { status: null, code: null, wasSent: outcome.wasSent };
  const { status, code } = error as { status?: number; code?: string };
  return { status: status ?? null, code: code ?? null, wasSent: true };
}

function errorOf(outcome: Exclude<Outcome, { kind: 'reply' }>, request: Request, attempts: number): TributaryError {
  const what = `${request.init.method} ${request.url.replace(/\?.*/, '')}`;
  if (outcome.kind === 'lost') {
    const { cause, isTimeout } = outcome;
    if (isTimeout) return new TimeoutError(`${what}: no response in time.`, { attempts, cause });
    return new ConnectionError(`${what}: ${reasonOf(cause)}.`, { attempts, cause });
  }
  const { status, text, headers } = outcome;
  if (status === 0 || (status >= 300 && status < 400))
    return new ConnectionError(`${what}: redirected. Set baseUrl to the final address.`, { attempts });
  return parseError({ status, text, requestId: headers.get('x-request-id'), attempts });
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: unknown; message?: unknown }; message?: unknown };
  return String(cause?.code ?? cause?.message ?? message ?? error);
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
