import { type Caller, createCaller } from './caller.ts';
import type { Form } from './form.ts';
import { createHeaders, type Token } from './request-headers.ts';
import { Sdk, SdkSessions, Service, Tokens } from './resources/access.ts';
import { Catalog, Daily, Scores, Sleep, Timeseries, Workouts } from './resources/data.ts';
import { Events } from './resources/events.ts';
import { Roster } from './resources/roster.ts';
import { Consolidation, Devices, Users } from './resources/users.ts';
import { Webhooks } from './resources/webhooks.ts';
import { DEFAULT_RETRIES, type RetryPolicy } from './retry.ts';

type Credential =
  /** `sk_live_…` or `sk_sandbox_…`; never in a browser or an app. */
  | { readonly apiKey: string; readonly token?: never }
  /** A user token or an access token of an SDK session. A function is called for each request, and again when a token has expired. */
  | { readonly token: NonNullable<Token>; readonly apiKey?: never }
  | { readonly apiKey?: never; readonly token?: never };

export type TributaryOptions<F extends Form> = Credential &
  Partial<RetryPolicy> & {
    /** Of the service, such as `https://health.example.com`. */
    readonly baseUrl: string;
    readonly form: F;
    /** For each attempt, including the whole response; in an export, for each wait for data. Default: 30,000. */
    readonly timeoutMs?: number;
    /** Instead of the global one. */
    readonly fetch?: typeof globalThis.fetch;
  };

const TIMEOUT_MS = 30_000; // longer than the slowest read of the service

/** A client of one service, with one credential and in one form. */
export class Tributary<F extends Form> {
  readonly catalog: Catalog<F>;
  readonly users: Users<F>;
  readonly devices: Devices<F>;
  readonly consolidation: Consolidation<F>;
  readonly daily: Daily<F>;
  readonly sleep: Sleep<F>;
  readonly workouts: Workouts<F>;
  readonly scores: Scores<F>;
  readonly timeseries: Timeseries<F>;
  readonly roster: Roster<F>;
  readonly tokens: Tokens<F>;
  readonly sdkSessions: SdkSessions<F>;
  readonly sdk: Sdk<F>;
  readonly webhooks: Webhooks<F>;
  readonly events: Events<F>;
  readonly service: Service<F>;

  constructor(options: TributaryOptions<F>) {
    const form = parseForm(options.form);
    const caller: Caller<F> = createCaller({
      ...DEFAULT_RETRIES,
      timeoutMs: TIMEOUT_MS,
      fetch: (input, init) => globalThis.fetch(input, init),
      ...definedOf(options),
      baseUrl: parseBaseUrl(options.baseUrl),
      form,
      headers: createHeaders(form, options.apiKey ?? options.token ?? null, options.fetch === undefined),
    });
    this.catalog = new Catalog(caller);
    this.users = new Users(caller);
    this.devices = new Devices(caller);
    this.consolidation = new Consolidation(caller);
    this.daily = new Daily(caller);
    this.sleep = new Sleep(caller);
    this.workouts = new Workouts(caller);
    this.scores = new Scores(caller);
    this.timeseries = new Timeseries(caller);
    this.roster = new Roster(caller);
    this.tokens = new Tokens(caller);
    this.sdkSessions = new SdkSessions(caller);
    this.sdk = new Sdk(caller);
    this.webhooks = new Webhooks(caller);
    this.events = new Events(caller);
    this.service = new Service(caller);
  }
}

function definedOf<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

function parseBaseUrl(text: string): string {
  const isHttp = /^https?:\/\/[^/]/.test(text);
  if (!isHttp || /[?#]/.test(text)) throw new TypeError('baseUrl must be an http or https address, without a query');
  return text.replace(/\/+$/, '');
}

function parseForm<F extends Form>(form: F): F {
  if (form !== 1 && form !== 2) throw new TypeError('form must be 1 or 2');
  return form;
}
