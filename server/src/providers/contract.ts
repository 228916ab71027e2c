// The contract of a cloud provider: plain data and pure functions. A connector opens no connection and reads no clock, database
// or setting; the sync engine sends its requests, stores its tokens and budgets, and passes it the responses.

import type { Scope } from '../domain/metrics/categories.ts';
import type { DeviceClass, MetricId } from '../domain/metrics/index.ts';
import type { SleepVital } from '../domain/metrics/session-metrics.ts';
import type { CloudProviderId } from '../domain/provider-ids.ts';
import type { EpochMs, Workout } from '../domain/records/records.ts';
import type { LocalDate } from '../domain/time/calendar.ts';
import type { ProviderRecords } from './provider-records.ts';
import type {
  ClientCredentials,
  ProviderAccount,
  ProviderAnswer,
  ProviderFailure,
  ProviderOrigins,
  ProviderRequest,
} from './provider-request.ts';
import type { WebhookRule } from './webhook-contract.ts';

export { ProviderAnswerError } from './provider-answer-error.ts';
export type * from './provider-request.ts';
export type * from './webhook-contract.ts';

export type CloudProvider = {
  readonly id: CloudProviderId;
  readonly displayName: string;
  readonly about: ProviderAbout;
  readonly deviceClass: DeviceClass;
  /** Every metric that `map` can return without unconfirmed parts, as samples or daily values; the conformance suite checks it. */
  readonly metrics: readonly MetricId[];
  readonly hasSleep: boolean;
  /** The vital signs that its sleeps report besides their times. */
  readonly sleepVitals: readonly SleepVital[];
  readonly hasWorkouts: boolean;
  /** Its workouts can have positions. Absent: they have none. */
  readonly hasRoutes?: true;
  /**
   * Its sleeps have no id, and their key changes with their start: a stored sleep of the device that overlaps a reported one is an earlier
   * version of it. Absent: sleeps have ids.
   */
  readonly replacesSleeps?: true;
  /** How far back its data can be requested. */
  readonly historyDays: number;
  /** The shortest time between two polls. Absent: as often as the engine polls (docs/sync.md). */
  readonly pollMinutes?: number;
  /** URL of its documentation; fields link to their own page. */
  readonly documentation: string;
  /** Origins that requests, tokens and links in webhooks may use. No other is ever called. */
  readonly origins: ProviderOrigins;
  /** Origins by region, if accounts of a region exist only on its servers. The operator decides which one is used. */
  readonly regions?: Readonly<Record<string, ProviderOrigins>>;
  readonly oauth: OAuthRule;
  /** Authenticates a request of the application. Absent: HTTP Basic. */
  readonly applicationHeaders?: (client: ClientCredentials) => Readonly<Record<string, string>>;
  /** Authenticates a request of the application by parameters of its form, or of its query if it has none. */
  readonly applicationParameters?: (client: ClientCredentials) => Readonly<Record<string, string>>;
  /** Sent with every request to its API. Absent: none. */
  readonly apiHeaders?: (client: ClientCredentials) => Readonly<Record<string, string>>;
  readonly budgets: readonly RateBudget[];
  /** What can be requested. Empty if the provider forbids polling (data is only pushed). */
  readonly resources: readonly Resource[];
  /** Data that is requested now and pushed later. Absent: history is read through `resources`. */
  readonly backfill?: PushedBackfill;
  /** Data that webhooks contain or link to, by the resource that they name. Absent: webhooks only name `resources`. */
  readonly pushed?: readonly PushedKind[];
  /** Sent when there is new data. Null: none. */
  readonly webhook: WebhookRule | null;
  /** Documented fields that could provide a metric of the catalog but are not used, with the reason. For docs/providers.md. */
  readonly notMapped: readonly NotMappedField[];
  /** What its terms forbid, for the guide, the API and the places that enforce it. Absent: nothing is known to be forbidden. */
  readonly restrictions?: readonly UseRestriction[];
  /** What no public source confirms. Each part is off until the operator enables it by its name. */
  readonly unconfirmed?: readonly UnconfirmedPart[];
  /** What enabled parts add to `metrics`, `hasSleep` and `sleepVitals`. Absent: nothing. */
  readonly partCoverage?: readonly PartCoverage[];
};

/** How the provider is shown to people. */
export type ProviderAbout = {
  /** The device or the measurement that people know it for, drawn by us in white lines: provider logos are trademarks. */
  readonly mark: { readonly background: string; readonly drawing: string };
  /** Who gets access to its API. */
  readonly access: string;
  /** How its webhooks are registered by hand. Absent: the service registers them, or there are none. */
  readonly webhooks?: string;
  /** Notes for operators before the first user connects. */
  readonly good: readonly string[];
};

/**
 * `owner_only`: shown to the person alone. `no_ai`: not for training or prompts of models. `no_resale`: not passed on in bulk.
 * `retention`: kept for `days` at most. `delay`: newer data is not delivered.
 */
export const RESTRICTION_KINDS = ['owner_only', 'no_ai', 'no_resale', 'retention', 'delay'] as const;
export type UseRestriction = {
  readonly kind: (typeof RESTRICTION_KINDS)[number];
  /** One sentence, for operators. */
  readonly description: string;
  readonly days?: number;
};

export type UnconfirmedPart = {
  /** In lower case with underscores: the operator writes it into a setting. */
  readonly part: string;
  /** The unconfirmed part, in one sentence. */
  readonly reason: string;
};

export type PartCoverage = Partial<Pick<CloudProvider, 'metrics' | 'hasSleep' | 'sleepVitals'>> & {
  /** All of them must be enabled. */
  readonly parts: readonly string[];
  /** Nothing is added if this part is enabled, too. */
  readonly unless?: string;
};

export type NotMappedField = {
  /** As in the provider's documentation. */
  readonly resource: string;
  readonly field: string;
  readonly metrics: readonly MetricId[];
  readonly reason: string;
};

export type OAuthRule = {
  readonly authorizePath: string;
  /** Requested, with the categories whose data each of them opens. */
  readonly scopes: Readonly<Record<string, readonly Scope[]>>;
  readonly scopeSeparator: ' ' | ',';
  /** The redirect back lists the granted scopes; the token response does not. */
  readonly hasScopeOnRedirect?: true;
  /** By scope, others that it includes and that the redirect may not list. */
  readonly impliedScopes?: Readonly<Record<string, readonly string[]>>;
  readonly hasPkce?: true;
  /** The issuer that the callback must name, if the provider sends one (RFC 9207). */
  readonly issuer?: string;
  /** In addition to the standard parameters. Absent: none. */
  readonly authorizeParameters?: Readonly<Record<string, string>>;
  /** Exchanges the code for tokens. `clientAuthentication` adds the client credentials. */
  exchangeRequest(code: {
    readonly code: string;
    readonly redirectUri: string;
    readonly codeVerifier: string | null;
  }): ProviderRequest;
  /** Null: its tokens cannot be refreshed. */
  readonly refreshRequest: ((refreshToken: string) => ProviderRequest) | null;
  readonly clientAuthentication: 'basic' | 'body';
  /**
   * Reads any token response; a refusal is definite only if a retry can never help. `refreshed`: the access token before a
   * refresh, for providers that extend it instead of issuing another.
   */
  readTokens(answer: ProviderAnswer, refreshed?: string): TokenSet | TokenRefusal;
  /** Requests after the exchange and before all others, in order: registration, or reading the user id. */
  readonly afterConnect: readonly AfterConnect[];
  /** Revokes access at the provider. Null: it has no such request. */
  readonly revokeRequest: ((account: ProviderAccount) => ProviderRequest) | null;
  /** Replaces `revokeRequest` if it takes several requests; each gets the response of the one before. */
  readonly revokeSteps?: readonly ((step: RevokeStep) => ProviderRequest)[];
};

export type RevokeStep = {
  readonly account: ProviderAccount;
  readonly client: ClientCredentials;
  readonly now: Date;
  /** Null for the first. */
  readonly before: ProviderAnswer | null;
};

export type TokenSet = {
  readonly accessToken: string;
  /** Null: unchanged, or none at all. */
  readonly refreshToken: string | null;
  /** Null: not reported. */
  readonly expiresInSeconds: number | null;
  readonly providerUserId: string | null;
  readonly scopes: readonly string[] | null;
};
export type TokenRefusal = { readonly refused: string; readonly isDefinite: boolean };

export type AfterConnect = {
  request(account: { readonly providerUserId: string | null; readonly memberId: string }): ProviderRequest;
  /** Null: the response has no user id. Throws ProviderAnswerError if the connection cannot continue. */
  readUserId(answer: ProviderAnswer): string | null;
  /** Statuses that count as success besides 2xx, such as "already registered". Absent: none. */
  readonly alsoGood?: readonly number[];
};

/** Requests allowed per number of seconds, for the whole application or for one user. */
export type RateBudget = {
  readonly per: 'application' | 'person';
  readonly requests: number;
  readonly seconds: number;
  /** The remaining budget and its reset according to the response headers; null: not reported. */
  readLeft(answer: ProviderAnswer): { readonly left: number; readonly resetSeconds: number } | null;
};

/** [from, to), in milliseconds. */
export type FetchInterval = { readonly from: number; readonly to: number };

/** [from, to) in time, and the local dates that it touches, both included. */
export type FetchWindow = {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly fromDate: LocalDate;
  readonly toDate: LocalDate;
};

export type Resource = {
  /** The provider's name; used in webhooks and progress. */
  readonly name: string;
  /** Without this scope the resource is skipped. Null: it needs none. */
  readonly scope: string | null;
  /** The unconfirmed part that it belongs to: skipped unless the operator enabled it. */
  readonly part?: string;
  /** The longest window of one request. */
  readonly windowDays: number;
  /** How many days every poll fetches again, because they may still change. */
  readonly settledAfterDays: number;
  /** If less than the provider's. */
  readonly historyDays?: number;
  /** Only the current state can be read, such as a profile: polls fetch it, a backfill does not. */
  readonly isCurrentOnly?: boolean;
  /** Never fetched on its own, only as a follow-up of others. */
  readonly isFollowUp?: boolean;
  /** A follow-up that may have no data although it was announced: nothing can be concluded from its absence. */
  readonly isOptional?: boolean;
  /** Every poll deletes the sessions of its window that are no longer returned, because nothing else reports deletions. */
  readonly reconciles?: 'sleep' | 'workouts';
  request(window: FetchWindow, cursor: string | null, account: ProviderAccount): ProviderRequest;
  /** Reads one record that a webhook names by id, if the provider has such a request. */
  readonly requestOne?: (id: string, account: ProviderAccount) => ProviderRequest;
  /**
   * Workouts that the page only describes: each is fetched by `requestOne`, as a task of its own, instead of being mapped with the
   * page. A poll skips those that are stored as the page describes them. Absent: the page has the records.
   */
  readonly listRecords?: (body: unknown) => readonly ListedRecord[];
  /** Cursor of the next page; null on the last. `cursor`: of this page, for providers that count pages or records. */
  nextCursor(body: unknown, cursor?: string | null): string | null;
  /** For lists, newest first, without a filter by time: the page is before the window, so further pages are not requested. */
  readonly endsBefore?: (body: unknown, window: FetchWindow) => boolean;
  /** Follow-up requests for items of a page (details, series); `map` gets their responses under `resource`. */
  readonly followUps?: (body: unknown, account: ProviderAccount) => readonly FollowUp[];
  /** A response that means "no data" and is not a failure, such as 404 at Withings or 204 at Polar. */
  isEmpty(answer: ProviderAnswer): boolean;
  /** A response to `requestOne` that means "no such record". Absent: as `isEmpty`. */
  readonly isGone?: (answer: ProviderAnswer) => boolean;
  /** A new record without data may still be processed: the available part is stored, and it is requested again a few times. */
  readonly comesLater?: true;
  /** Reads a failure inside a 200 (the status of Withings). Absent: the HTTP status counts. */
  readonly readFailure?: (answer: ProviderAnswer) => ProviderFailure | null;
  map(body: unknown, context: MapContext): ProviderRecords;
  /**
   * The response without positions, for accounts that do not keep routes; null: nothing remains. Only for responses that contain them
   * whether we want them or not; otherwise `keepsRoutes` decides what is requested. Of a file JSON remains, and nothing without this
   * function.
   */
  readonly withoutPositions?: (body: unknown) => unknown;
};

export type ListedRecord = {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** As far as the list describes it. */
  readonly workout: Workout;
  /** The resource whose `requestOne` fetches it. Absent: that of the list. */
  readonly resource?: string;
};

export type FollowUp = {
  readonly resource: string;
  readonly request: ProviderRequest;
  /**
   * Passed to `map` with the response if two requests report one record. `map` is then always called: with null if there is no
   * response (no data, or no scope for it).
   */
  readonly calledBy?: unknown;
};

export type MapContext = {
  /** The user's time zone, for providers that report local times without an offset. */
  readonly zone: string;
  readonly window: FetchWindow | null;
  /** The item that the response follows up. */
  readonly calledBy?: unknown;
  /** The unconfirmed parts that the operator enabled. Absent: none. */
  readonly parts?: ReadonlySet<string>;
  /** As in `ProviderAccount`: absent, positions in a response are not read. */
  readonly keepsRoutes?: boolean;
};

export type PushedKind = Pick<Resource, 'name' | 'map' | 'withoutPositions'>;

export type PushedBackfill = {
  readonly windowDays: number;
  readonly kinds: readonly string[];
  request(kind: string, window: FetchWindow): ProviderRequest;
  /** `accepted`: data will be pushed. `done`: it was requested before (409). `denied`: more than is allowed. */
  readAnswer(answer: ProviderAnswer): 'accepted' | 'done' | 'denied' | ProviderFailure;
};
