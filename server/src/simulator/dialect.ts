// What differs from provider to provider, as data and pure functions. The simulator does the rest. A dialect is written
// from the provider's documentation, never from the connector that it tests.

import type { DateRange } from '../domain/time/calendar.ts';
import type { RawReply, RawRequest } from '../platform/http/raw-route.ts';
import type { AccountView } from './account-view.ts';
import type { WornDevice } from './day-cache.ts';
import type { ClientCredentials } from './oauth/client-authentication.ts';
import type { OAuthDialect } from './oauth/oauth-dialect.ts';
import type { ProviderContext } from './provider-context.ts';
import type { Push } from './push-queue.ts';
import type { RateLimit, RateUse } from './rate-meter.ts';
import type { Change, WebhookRecord } from './reported-changes.ts';

export type ProviderDialect = {
  readonly id: string;
  readonly displayName: string;
  /** The device that the provider's data comes from. */
  readonly device: WornDevice;
  readonly oauth: OAuthDialect;
  /** The first matching route answers. Authorize and token endpoints are handled separately. */
  readonly routes: readonly SimulatedRoute[];
  /** How the application authenticates on its own routes. Absent: HTTP Basic. */
  readonly readClient?: (request: RawRequest) => ClientCredentials | null;
  /** The access token of a person's request, as issued by the simulator. Absent: the bearer token. */
  readonly readToken?: (request: RawRequest) => string;
  readonly limits: readonly RateLimit[];
  /** Added to every response of a route. Absent: none. */
  readonly rateHeaders?: (uses: readonly RateUse[]) => Readonly<Record<string, string>>;
  refuse(refusal: Refusal, uses: readonly RateUse[]): RawReply;
  /** Null: the provider sends no webhooks. */
  readonly webhooks: WebhookDialect | null;
};

/** `unauthorized`: the token is invalid; `forbidden`: its scope is insufficient. */
export type Refusal = 'unauthorized' | 'forbidden' | 'rate_limited' | 'unavailable' | 'not_found';

type RouteMatch = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** `{name}` matches one path segment. */
  readonly path: string;
  /** Fields that the form must have, if one path serves many calls. */
  readonly form?: Readonly<Record<string, string>>;
};

export type SimulatedRoute = RouteMatch &
  (
    | {
        readonly access: 'person';
        /** Null: any scope. */
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
  /** Null: the body is not a JSON object. */
  readonly json: Readonly<Record<string, unknown>> | null;
  readonly context: ProviderContext;
};

export type PersonCall = Call & {
  readonly view: AccountView;
  readonly scopes: readonly string[];
  /** Ends the connection: all of its tokens become invalid. */
  revoke(): void;
};

export type WebhookDialect = {
  /**
   * All records of these days that webhooks can report, in their current state. The simulator compares them with the
   * previous call.
   */
  list(view: AccountView, days: DateRange): Iterable<WebhookRecord>;
  /** The signed webhooks for the changes. Empty without a subscription. */
  write(changes: readonly Change[], view: AccountView, context: ProviderContext): readonly Push[];
  /** The webhook sent when the user ends the connection at the provider. */
  readonly writeRevoked?: (view: AccountView, context: ProviderContext) => readonly Push[];
};
