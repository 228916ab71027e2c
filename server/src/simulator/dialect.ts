// What differs from provider to provider, as data and functions of values. The simulator does the rest. A dialect is written from
// the provider's documentation and never from the connector that it is to be tried with.

import type { LocalDate } from '../domain/time/calendar.ts';
import type { RawReply, RawRequest } from '../platform/http/raw-route.ts';
import type { AccountView } from './account-view.ts';
import type { WornDevice } from './day-cache.ts';
import type { ClientCredentials } from './oauth/client-authentication.ts';
import type { OAuthDialect } from './oauth/oauth-dialect.ts';
import type { ProviderContext } from './provider-context.ts';
import type { Push } from './push-queue.ts';
import type { RateLimit, RateUse } from './rate-meter.ts';
import type { Change, Webhookd } from './reported-changes.ts';

export type Dialect = {
  readonly id: string;
  readonly displayName: string;
  /** Which device of the person its data comes from. */
  readonly device: WornDevice;
  readonly oauth: OAuthDialect;
  /** The first that fits answers. Authorize and token endpoints are none of them. */
  readonly routes: readonly Route[];
  /** How the application says who it is on its own routes. Absent: HTTP Basic. */
  readonly readClient?: (request: RawRequest) => ClientCredentials | null;
  readonly limits: readonly RateLimit[];
  /** On every answer of a route. */
  rateHeaders(uses: readonly RateUse[]): Readonly<Record<string, string>>;
  refuse(refusal: Refusal, uses: readonly RateUse[]): RawReply;
  /** Null: it never tells anything by itself. */
  readonly webhooks: WebhookDialect | null;
};

/** `unauthorized`: the token is bad; `forbidden`: its scope does not reach. */
export type Refusal = 'unauthorized' | 'forbidden' | 'rate_limited' | 'unavailable' | 'not_found';

type RouteMatch = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** `{name}` stands for one part. */
  readonly path: string;
  /** Fields that the form has to have, where one path serves many calls. */
  readonly form?: Readonly<Record<string, string>>;
};

export type Route = RouteMatch &
  (
    | {
        readonly access: 'person';
        /** Null: any. */
        readonly scope: string | null;
        answer(call: PersonCall): RawReply | Promise<RawReply>;
      }
    | { readonly access: 'application' | 'anyone'; answer(call: Call): RawReply | Promise<RawReply> }
  );

export type Call = {
  readonly request: RawRequest;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly form: URLSearchParams;
  /** Null: the body is no JSON object. */
  readonly json: Readonly<Record<string, unknown>> | null;
  readonly context: ProviderContext;
};

export type PersonCall = Call & {
  readonly view: AccountView;
  readonly scopes: readonly string[];
  /** Ends the connection: none of its tokens is good any more. */
  revoke(): void;
};

export type WebhookDialect = {
  /** All that there is to tell of these days, as it stands. The simulator finds what has changed since it last asked. */
  list(view: AccountView, days: WebhookdDays): Iterable<Webhookd>;
  /** What is sent for it, signed. Nothing where nobody asked for it. */
  write(changes: readonly Change[], view: AccountView, context: ProviderContext): readonly Push[];
  /** What is sent when the person ends the connection at the provider. */
  readonly writeRevoked?: (view: AccountView, context: ProviderContext) => readonly Push[];
};

export type WebhookdDays = { readonly from: LocalDate; readonly to: LocalDate };
