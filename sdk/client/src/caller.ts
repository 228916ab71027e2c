// Builds the requests of operations.
import type { Request } from './attempt.ts';
import type { Body, Form, OperationId, Query, Reply } from './form.ts';
import { OPERATIONS } from './operations.gen.ts';
import { send, type TransportOptions } from './transport.ts';

/** Settings of one call; those of the client apply otherwise. */
export type CallOptions = {
  /** Ends the call, its retries included. */
  readonly signal?: AbortSignal | undefined;
  /** For each attempt. */
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
};

export type Caller<F extends Form> = {
  readonly form: F;
  call<O extends OperationId>(operation: O, input: Input<F, O>, options?: CallOptions): Promise<Reply<F, O>>;
};

export type CallerSettings<F extends Form> = Omit<TransportOptions, 'signal'> & {
  readonly baseUrl: string;
  readonly form: F;
  /** Null: calls without a credential. */
  readonly token: string | (() => string | Promise<string>) | null;
};

export function createCaller<F extends Form>(settings: CallerSettings<F>): Caller<F> {
  const { baseUrl, form, token } = settings;
  const formHeader = String(form);
  return {
    form,
    call: async (operation, input, options) => {
      const [method, template] = OPERATIONS[operation];
      const url = baseUrl + fillPath(template, input.path ?? []) + writeQuery(input.query ?? {});
      const body = input.body === undefined ? {} : { body: JSON.stringify(input.body) };
      const build = (credential: string | null): Request => ({
        url,
        init: {
          method,
          ...body,
          headers: {
            'api-form': formHeader,
            ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
            ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
            ...input.headers,
          },
        },
      });
      let renewals = 0;
      const reply = await send(
        {
          isIdempotent: method !== 'POST' || input.isIdempotent === true,
          whenGone: input.whenGone,
          build: typeof token === 'function' ? async () => build(await token()) : () => build(token),
          renewToken: (code) => typeof token === 'function' && code === 'token_expired' && renewals++ === 0,
        },
        options === undefined ? settings : { ...settings, ...dropUndefined(options) },
      );
      return reply as Reply<F, typeof operation>;
    },
  };
}

/** An empty or relative part would name another resource. */
function fillPath(template: string, values: readonly string[]): string {
  let index = 0;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[index++];
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} must be an id`);
    return encodeURIComponent(value);
  });
}

function writeQuery(query: object): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${encodeURIComponent(String(value))}`],
  );
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function dropUndefined(options: CallOptions): Partial<TransportOptions> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
