// Builds the requests of operations.
import type { ExportStream } from './export-stream.ts';
import type { Body, Form, OperationId, Query, Reply } from './form.ts';
import { OPERATIONS } from './operations.gen.ts';
import { fillPath, writeQuery } from './request-url.ts';
import { createOwnLimit, createTimeLimits, createWaitLimit } from './time-limit.ts';
import { type Sent, send, type TransportOptions } from './transport.ts';

/** Settings of one call; those of the client apply otherwise. */
export type CallOptions = {
  /** Ends the call, its retries included. */
  readonly signal?: AbortSignal | undefined;
  /** For each attempt; for an export, for each wait for data. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
};

type Input<F extends Form, O extends OperationId> = {
  /** The values of the path, in order. */
  readonly path?: readonly string[];
  readonly query?: Query<F, O> | undefined;
  readonly body?: Body<F, O> | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** For a POST that may be sent twice. */
  readonly isIdempotent?: boolean;
  readonly whenGone?: unknown;
  readonly endsCredential?: boolean;
};

export type Caller<F extends Form> = {
  readonly form: F;
  call<O extends OperationId>(operation: O, input: Input<F, O>, options?: CallOptions): Promise<Reply<F, O>>;
  /** For a response that is a file. */
  stream<O extends OperationId>(operation: O, input: Input<F, O>, options?: CallOptions): Promise<ExportStream>;
};

export type CallerSettings<F extends Form> = Omit<TransportOptions, 'signal' | 'startLimit' | 'startWaitLimit'> & {
  readonly timeoutMs: number;
  readonly baseUrl: string;
  readonly form: F;
};

const NO_VALUES: readonly string[] = [];
const JSON_CONTENT = { 'content-type': 'application/json' };

export function createCaller<F extends Form>(settings: CallerSettings<F>): Caller<F> {
  const { baseUrl, form } = settings;
  const defaults: TransportOptions = { ...settings, startLimit: createTimeLimits(settings.timeoutMs) };
  // Not async functions: each of them costs every call about a hundredth of a fetch.
  function start<O extends OperationId>(operation: O, input: Input<F, O>, options: TransportOptions): Promise<unknown> {
    const { path, query, body, headers } = input;
    const [method, template] = OPERATIONS[operation];
    const filled = fillPath(template, path ?? NO_VALUES);
    if (filled instanceof TypeError) return Promise.reject(filled);
    const sent: Sent = {
      method,
      url: baseUrl + filled + writeQuery(query),
      body: body === undefined ? null : JSON.stringify(body),
      headers: body === undefined ? headers : { ...JSON_CONTENT, ...headers },
      isIdempotent: method !== 'POST' || input.isIdempotent === true,
      whenGone: input.whenGone,
      endsCredential: input.endsCredential === true,
    };
    return send(sent, options);
  }
  return {
    form,
    call: (operation, input, options) => {
      const settled = options === undefined ? defaults : withOptions(defaults, settings.timeoutMs, options);
      return start(operation, input, settled) as Promise<Reply<F, typeof operation>>;
    },
    stream: (operation, input, { signal, timeoutMs = settings.timeoutMs, maxRetries = defaults.maxRetries } = {}) => {
      const startWaitLimit = () => createWaitLimit(timeoutMs, signal);
      return start(operation, input, { ...defaults, maxRetries, signal, startWaitLimit }) as Promise<ExportStream>;
    },
  };
}

function withOptions(
  defaults: TransportOptions,
  defaultTimeoutMs: number,
  { signal, timeoutMs = defaultTimeoutMs, maxRetries = defaults.maxRetries }: CallOptions,
): TransportOptions {
  const isShared = signal === undefined && timeoutMs === defaultTimeoutMs;
  const startLimit = isShared ? defaults.startLimit : () => createOwnLimit(timeoutMs, signal);
  return { ...defaults, maxRetries, signal, startLimit };
}
