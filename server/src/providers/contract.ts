// What every cloud provider is: plain data and pure functions. A connector opens no connection, knows no clock, no database and
// no setting; the sync engine makes its requests, keeps its tokens and its budgets, and hands over what it read.

import type { DeviceClass, MetricId } from '../domain/metrics/index.ts';
import type { SleepVital } from '../domain/metrics/session-metrics.ts';
import type { CloudProviderId } from '../domain/provider-ids.ts';
import type { EpochMs } from '../domain/records/records.ts';
import type { LocalDate } from '../domain/time/calendar.ts';
import type { ProviderRecords } from './provider-records.ts';

export { ProviderAnswerError } from './provider-answer-error.ts';

export type CloudProvider = {
  readonly id: CloudProviderId;
  readonly displayName: string;
  readonly auth: 'oauth2';
  readonly deviceClass: DeviceClass;
  /** All that `map` can yield, samples and daily values; the conformance suite holds it to that. */
  readonly metrics: readonly MetricId[];
  readonly hasSleep: boolean;
  /** What of the body its sleeps tell beside their times. */
  readonly sleepVitals: readonly SleepVital[];
  readonly hasWorkouts: boolean;
  /** Tells us by itself when there is something new. */
  readonly push: boolean;
  /** How far back its data can be asked for. */
  readonly historyDays: number;
  /** Where its documentation is; fields link to their own page. */
  readonly documentation: string;
  /** Origins that requests, tokens and links in notices may go to. Nothing else is ever asked. */
  readonly origins: ProviderOrigins;
  readonly oauth: OAuthRule;
  /** How a request as the application says who asks. Absent: HTTP Basic. */
  readonly applicationHeaders?: (client: ClientCredentials) => Readonly<Record<string, string>>;
  readonly budgets: readonly RateBudget[];
  /** What can be asked for. Empty where the provider forbids polling (data comes by push alone). */
  readonly resources: readonly Resource[];
  /** Data that is asked for now and pushed later. Null: history is read through `resources`. */
  readonly backfill: PushedBackfill | null;
  /** Data that notices bring or name a link to, by the resource that they name. Absent: notices only name `resources`. */
  readonly pushed?: readonly PushedKind[];
  readonly webhook: WebhookRule | null;
  /** Documented fields that a metric of the catalog could be read from, and why they are not. For docs/providers.md. */
  readonly notMapped: readonly NotMappedField[];
};

export type NotMappedField = {
  /** As the provider's documentation writes both. */
  readonly resource: string;
  readonly field: string;
  readonly metrics: readonly MetricId[];
  readonly reason: string;
};

/** In the sandbox the simulator stands in for all of them. */
export type ProviderOrigins = {
  readonly authorize: string;
  readonly token: string;
  readonly api: string;
  /** Of the public keys that it signs notices with. */
  readonly keys?: string;
};

/** Relative to an origin: a connector never writes a host into a request. */
export type ProviderRequest = {
  readonly origin: keyof ProviderOrigins;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as application/x-www-form-urlencoded. */
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** How the request says who asks: the person's token, or the application's credentials. */
  readonly as: 'person' | 'application' | 'nobody';
};

export type ProviderAnswer = {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whole numbers beyond 2^53 are texts in it. Null: no JSON. */
  readonly body: unknown;
};

export type ClientCredentials = { readonly clientId: string; readonly clientSecret: string };

export type OAuthRule = {
  readonly authorizePath: string;
  readonly scopes: readonly string[];
  readonly scopeSeparator: ' ' | ',';
  readonly hasPkce: boolean;
  /** The issuer that the callback must name, where the provider sends one (RFC 9207). */
  readonly issuer: string | null;
  /** Beside those of the standard. */
  readonly authorizeParameters: Readonly<Record<string, string>>;
  /** The code for tokens. Client credentials are added by `clientAuthentication`. */
  exchangeRequest(code: {
    readonly code: string;
    readonly redirectUri: string;
    readonly codeVerifier: string | null;
  }): ProviderRequest;
  /** Null: its tokens cannot be refreshed. */
  readonly refreshRequest: ((refreshToken: string) => ProviderRequest) | null;
  readonly clientAuthentication: 'basic' | 'body';
  /** Whatever the shape of the answer; a refusal is definite only if asking again can never help. */
  readTokens(answer: ProviderAnswer): TokenSet | TokenRefusal;
  /** What is to be asked after the exchange, before anything else: registration, or who this is. In order. */
  readonly afterConnect: readonly AfterConnect[];
  /** Ends the provider's side of a connection. Null: there is no way. */
  readonly revokeRequest: ((account: ProviderAccount) => ProviderRequest) | null;
  /** In place of `revokeRequest` where something is to be asked first; each is handed the answer to the one before. */
  readonly revokeSteps?: readonly ((step: RevokeStep) => ProviderRequest)[];
};

export type RevokeStep = {
  readonly account: ProviderAccount;
  readonly client: ClientCredentials;
  readonly now: Date;
  /** Null at the first. */
  readonly before: ProviderAnswer | null;
};

export type TokenSet = {
  readonly accessToken: string;
  /** Null: as before, or none at all. */
  readonly refreshToken: string | null;
  /** Null: not said. */
  readonly expiresInSeconds: number | null;
  readonly providerUserId: string | null;
  readonly scopes: readonly string[] | null;
};
export type TokenRefusal = { readonly refused: string; readonly isDefinite: boolean };

export type AfterConnect = {
  request(account: { readonly providerUserId: string | null; readonly memberId: string }): ProviderRequest;
  /** Null: nothing to learn from it. Throws ProviderAnswerError where it cannot go on. */
  readUserId(answer: ProviderAnswer): string | null;
  /** Answers that are as good as 2xx, such as "already registered". */
  readonly alsoGood: readonly number[];
};

export type ProviderAccount = {
  readonly providerUserId: string;
  readonly accessToken: string;
  readonly refreshToken: string | null;
};

/** So many requests in so many seconds, of the whole application or of one person. */
export type RateBudget = {
  readonly per: 'application' | 'person';
  readonly requests: number;
  readonly seconds: number;
  /** What the provider's headers say is left, and for how long; null: this answer says nothing. */
  readLeft(answer: ProviderAnswer): { readonly left: number; readonly resetSeconds: number } | null;
};

/** [from, to) in time, and the local dates that it touches, both ends included. */
export type FetchWindow = {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly fromDate: LocalDate;
  readonly toDate: LocalDate;
};

export type Resource = {
  /** Of this provider; notices and progress name it. */
  readonly name: string;
  /** Without it the resource is left out. Null: none of its own. */
  readonly scope: string | null;
  /** The longest window of one request. */
  readonly windowDays: number;
  /** What is asked for again at every poll, as it may still change. */
  readonly settledAfterDays: number;
  /** Less than the provider's own. */
  readonly historyDays?: number;
  /** Only what is true now can be asked for, such as a profile: polls ask for it, and a backfill does not. */
  readonly isCurrentOnly?: boolean;
  /** Never asked for by itself: only what others call for. */
  readonly isFollowUp?: boolean;
  request(window: FetchWindow, cursor: string | null, account: ProviderAccount): ProviderRequest;
  /** For what a notice names by id, where the provider has such a request. */
  readonly requestOne: ((id: string, account: ProviderAccount) => ProviderRequest) | null;
  /** Of the next page; null on the last. */
  nextCursor(body: unknown): string | null;
  /** Requests that items of a page call for (details, series), whose answers `map` is given under `resource`. */
  readonly followUps?: (body: unknown, account: ProviderAccount) => readonly FollowUp[];
  /** An answer that means "nothing there" and no failure, such as 404 of Withings' or 204 of Polar's. */
  isEmpty(answer: ProviderAnswer): boolean;
  /** Fails inside of a 200 (Withings' status): what the engine is to take it for. Null: it is what it says. */
  readonly readFailure: ((answer: ProviderAnswer) => ProviderFailure | null) | null;
  map(body: unknown, context: MapContext): ProviderRecords;
};

export type FollowUp = {
  readonly resource: string;
  readonly request: ProviderRequest;
  /**
   * Handed to `map` with the answer, where one record is told by two requests. `map` is then called in any case: with null
   * where there is no answer to be had (nothing there, or no scope for it).
   */
  readonly calledBy?: unknown;
};

/** `unauthorized`: the token; `forbidden`: consent, scope or membership is missing. */
export type ProviderFailure = 'unauthorized' | 'forbidden' | 'rate_limited' | 'unavailable' | 'bad_request';

export type MapContext = {
  /** The person's zone, for providers that tell local times without an offset. */
  readonly zone: string;
  readonly window: FetchWindow | null;
  /** What the answer follows up. */
  readonly calledBy?: unknown;
};

export type PushedKind = Pick<Resource, 'name' | 'map'>;

export type PushedBackfill = {
  readonly windowDays: number;
  readonly kinds: readonly string[];
  request(kind: string, window: FetchWindow): ProviderRequest;
  /** `accepted`: data will come by push. `done`: it was asked for before (409). `denied`: more than is allowed. */
  readAnswer(answer: ProviderAnswer): 'accepted' | 'done' | 'denied' | ProviderFailure;
};

/** A request to us, as it came: signatures are over bytes. */
export type WebhookRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type WebhookSecrets = ClientCredentials & {
  /** Ours, told to the provider when we subscribed; part of an unguessable path where it signs nothing. */
  readonly verificationToken: string;
  /** The provider's public keys in PEM or JWK text, where it signs with its own; by key id. */
  readonly publicKeys: Readonly<Record<string, string>>;
  /** The provider's, told once in its answer when we subscribed. */
  readonly signingSecret?: string;
};

export type WebhookVerdict = 'genuine' | 'forged' | 'stale';

export type WebhookRule = {
  /**
   * `hmac`, `asymmetric`: the body is believed. `token`, `path`: it is only a hint, and data is fetched from the provider; where
   * that cannot be asked (Garmin), what a notice brings is believed for the secret in its path.
   */
  readonly trust: 'hmac' | 'asymmetric' | 'token' | 'path';
  /** The answer to a question that only the real receiver can answer (a challenge); null: it is none. */
  answerChallenge(
    request: WebhookRequest,
    secrets: WebhookSecrets,
  ): { readonly status: number; readonly body: string } | null;
  verify(request: WebhookRequest, secrets: WebhookSecrets, now: Date): WebhookVerdict;
  /** Throws ProviderAnswerError on what makes no sense. */
  readWebhookItems(body: Uint8Array): WebhookItem[];
  /** What the provider wants to see, and how soon. */
  readonly acknowledgement: { readonly status: number; readonly withinMs: number };
  readonly subscriptions: SubscriptionRule | null;
  /** Where the provider's public keys are. Absent: it has none. */
  readonly publicKeys?: PublicKeyRule;
};

/** Read daily, and again when a notice names a key that is not known. */
export type PublicKeyRule = {
  readonly request: ProviderRequest;
  /** By key id, as in `NoticeSecrets`. */
  readKeys(answer: ProviderAnswer): Readonly<Record<string, string>>;
};

export type WebhookItem = { readonly providerUserId: string } & (
  | {
      /** Something is new or changed: it is fetched. */
      readonly kind: 'changed';
      readonly resource: string;
      readonly id: string | null;
      readonly from: EpochMs | null;
      readonly to: EpochMs | null;
      /** What the notice says to ask, checked to be a link of the provider's own. Absent: what the resource asks. */
      readonly request?: ProviderRequest;
    }
  /** It is there itself; only where the notice can be believed. */
  | { readonly kind: 'pushed'; readonly resource: string; readonly body: unknown }
  | { readonly kind: 'deleted'; readonly resource: string; readonly id: string }
  /**
   * Something in that time is gone, and nothing says what: what is left is fetched, and ours that is not among it goes. Without a
   * time it is something recent.
   */
  | {
      readonly kind: 'cleared';
      readonly resource: string;
      readonly of: 'sleep' | 'workouts' | readonly MetricId[];
      readonly interval: { readonly from: EpochMs; readonly to: EpochMs } | null;
    }
  /** The person shares something else than before, or nothing, and may share again without us. */
  | { readonly kind: 'sharing'; readonly sharesAnything: boolean }
  /** The person ended it at the provider. */
  | { readonly kind: 'deauthorized' }
);

/** Created at connect or for the whole application, renewed before they end, and repaired daily. */
export type SubscriptionRule = {
  readonly per: 'application' | 'person';
  /** Null: they do not end. */
  readonly livesDays: number | null;
  /** What there should be. */
  readonly wanted: readonly string[];
  listRequest(account: ProviderAccount | null): ProviderRequest;
  readList(answer: ProviderAnswer): readonly {
    readonly id: string;
    readonly topic: string;
    readonly endsAt: Date | null;
    /** Where it goes, if told: one that goes elsewhere is not ours. */
    readonly callbackUrl?: string;
  }[];
  createRequest(
    topic: string,
    callbackUrl: string,
    secrets: WebhookSecrets,
    account: ProviderAccount | null,
  ): ProviderRequest;
  /** The secret in the answer to `createRequest`, for `NoticeSecrets.signingSecret`: it is told only there. */
  readonly readSecret?: (answer: ProviderAnswer) => string | null;
  readonly renewRequest: ((id: string) => ProviderRequest) | null;
  /** Fails inside of a 200, as with `Resource`. Absent: an answer is what its status says. */
  readonly readFailure?: (answer: ProviderAnswer) => ProviderFailure | null;
  deleteRequest(id: string, account: ProviderAccount | null): ProviderRequest;
};
