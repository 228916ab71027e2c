// Sends a request until it succeeds, fails permanently, or has no attempts left.
import { ConnectionError, TimeoutError, type TributaryError } from './api-error.ts';
import { type AttemptOutcome, attempt, type Request } from './attempt.ts';
import { type BrokenStream, streamOf } from './export-stream.ts';
import { parseError } from './parse-error.ts';
import type { Added, HeaderSource } from './request-headers.ts';
import { canRetry, type Failure, mayHaveRun, parseRetryAfter, type RetryPolicy, retryDelayOf } from './retry.ts';
import type { TimeLimit, WaitLimit } from './time-limit.ts';

export type TransportOptions = RetryPolicy & {
  readonly fetch: typeof globalThis.fetch;
  readonly headers: HeaderSource;
  /** For each attempt, including the whole response. */
  readonly startLimit: () => TimeLimit;
  /** For a response that is streamed. */
  readonly startWaitLimit?: () => WaitLimit;
  readonly signal?: AbortSignal | undefined;
};

export type Sent = Omit<Request, 'headers'> & {
  readonly headers: Added | undefined;
  readonly isIdempotent: boolean;
  /** The result of a DELETE whose earlier attempt was lost and which finds nothing any more. */
  readonly whenGone: unknown;
  /** The credential ends with the call, so that a repeated one is refused. */
  readonly endsCredential: boolean;
};

export async function send(sent: Sent, options: TransportOptions): Promise<unknown> {
  const lost = { mayHaveRun: false };
  let renewals = 0;
  for (let attempts = 1; ; attempts += 1) {
    const read = options.headers.read(sent.headers); // for each attempt, because a token may change
    const headers = read instanceof Promise ? await read : read;
    const outcome = await attempt({ method: sent.method, url: sent.url, body: sent.body, headers }, options);
    if (outcome.kind === 'reply') return outcome.body;
    if (outcome.kind === 'stream')
      return streamOf(outcome.opened, {
        signal: options.signal,
        errorOf: (cause) => brokenStream(cause, sent, attempts),
      });
    const error = errorOf(outcome, sent, attempts);
    const failure = failureOf(outcome, error);
    if (lost.mayHaveRun && isGone(failure, sent)) return sent.whenGone;
    if (failure.code === 'token_expired' && options.headers.canRenew && renewals++ === 0) continue;
    lost.mayHaveRun ||= mayHaveRun(failure);
    const delayMs = canRetry(failure, sent.isIdempotent) ? delayOf(outcome, attempts, options) : null;
    if (delayMs === null) throw error;
    await sleep(delayMs, options.signal);
  }
}

function isGone({ status, code }: Failure, { method, endsCredential }: Sent): boolean {
  return method === 'DELETE' && (status === 404 || (endsCredential && code === 'invalid_token'));
}

function delayOf(outcome: AttemptOutcome, attempts: number, options: TransportOptions): number | null {
  if (attempts > options.maxRetries) return null;
  const retryAfterMs = outcome.kind === 'error' ? parseRetryAfter(outcome.headers.get('retry-after')) : 0;
  return retryDelayOf(options, { attempt: attempts, retryAfterMs });
}

function failureOf(outcome: AttemptOutcome, error: TributaryError): Failure {
  if (outcome.kind === 'lost') return { status: null, code: null, wasSent: outcome.wasSent };
  const { status, code } = error as { status?: number; code?: string };
  return { status: status ?? null, code: code ?? null, wasSent: true };
}

function errorOf(
  outcome: Extract<AttemptOutcome, { kind: 'error' | 'lost' }>,
  sent: Sent,
  attempts: number,
): TributaryError {
  const what = describe(sent);
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

/** Data has arrived, so the request is not sent again. */
function brokenStream({ cause, isTimeout }: BrokenStream, sent: Sent, attempts: number): TributaryError {
  const what = `${describe(sent)}: the response is incomplete`;
  if (isTimeout) return new TimeoutError(`${what}: no data in time.`, { attempts, cause });
  return new ConnectionError(`${what}: ${reasonOf(cause)}.`, { attempts, cause });
}

function describe({ method, url }: Sent): string {
  return `${method} ${url.replace(/\?.*/, '')}`;
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
