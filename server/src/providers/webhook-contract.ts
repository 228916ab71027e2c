// The part of the contract about webhooks: how a request to us is verified and read, and how webhooks are ordered.
import type { MetricId } from '../domain/metrics/index.ts';
import type { EpochMs } from '../domain/records/records.ts';
import type {
  ClientCredentials,
  ProviderAccount,
  ProviderAnswer,
  ProviderFailure,
  ProviderRequest,
} from './provider-request.ts';

/** A request to us as received: signatures are computed over bytes. */
export type WebhookRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
};

export type WebhookSecrets = ClientCredentials & {
  /** Our secret, sent to the provider when we subscribed; part of an unguessable path if it does not sign. */
  readonly verificationToken: string;
  /** The provider's public keys as PEM or JWK text by key id, if it signs with its own keys. */
  readonly publicKeys: Readonly<Record<string, string>>;
  /** The provider's secret, sent once in its response to our subscription. */
  readonly signingSecret?: string;
};

export type WebhookVerdict = 'genuine' | 'forged' | 'stale';

export type WebhookRule = {
  /**
   * `hmac`, `asymmetric`: the body is trusted. `token`, `path`: it is only a hint, and data is fetched from the provider; if the
   * provider cannot be queried (Garmin), the body is trusted because of the secret in its path.
   */
  readonly trust: 'hmac' | 'asymmetric' | 'token' | 'path';
  /** The response to a challenge, which only the real receiver can give; null: not a challenge. */
  answerChallenge(
    request: WebhookRequest,
    secrets: WebhookSecrets,
  ): { readonly status: number; readonly body: string } | null;
  verify(request: WebhookRequest, secrets: WebhookSecrets, now: Date): WebhookVerdict;
  /** Throws ProviderAnswerError if the body cannot be read. */
  readWebhookItems(body: Uint8Array): WebhookItem[];
  /** The response that the provider expects. Absent: 200 without a body. */
  readonly acknowledgement?: { readonly status?: number; readonly json?: unknown };
  readonly subscriptions: SubscriptionRule | null;
  /** Where the provider publishes its public keys. Absent: it has none. */
  readonly publicKeys?: PublicKeyRule;
};

/** Read daily, and again when a webhook names an unknown key. */
export type PublicKeyRule = {
  readonly request: ProviderRequest;
  /** By key id, as in `WebhookSecrets`. */
  readKeys(answer: ProviderAnswer): Readonly<Record<string, string>>;
};

export type WebhookItem = { readonly providerUserId: string } & (
  | {
      /** New or changed data, which is fetched. */
      readonly kind: 'changed';
      readonly resource: string;
      readonly id: string | null;
      readonly from: EpochMs | null;
      readonly to: EpochMs | null;
      /** The request that the webhook names, checked to be a link of the provider. Absent: the request of the resource. */
      readonly request?: ProviderRequest;
    }
  /** Contains the data itself; only if the webhook is trusted. */
  | { readonly kind: 'pushed'; readonly resource: string; readonly body: unknown }
  /** Unless the webhook is trusted, the record is requested, and deleted if it is not there. */
  | { readonly kind: 'deleted'; readonly resource: string; readonly id: string }
  /**
   * Something in this interval was deleted, and nothing says what: the remaining records are fetched, and ours that are not among
   * them are deleted. Without an interval it is something recent.
   */
  | {
      readonly kind: 'reconcile';
      readonly resource: string;
      readonly of: 'sleep' | 'workouts' | readonly MetricId[];
      readonly interval: { readonly from: EpochMs; readonly to: EpochMs } | null;
    }
  /** The user changed what is shared, or stopped sharing, and may share again without us. */
  | { readonly kind: 'sharing'; readonly sharesAnything: boolean }
  /** The user revoked access at the provider. */
  | { readonly kind: 'deauthorized' }
);

/** Created at connect or for the whole application, renewed before they end, and repaired daily. */
export type SubscriptionRule = {
  readonly per: 'application' | 'person';
  /** The topics that we want. */
  readonly wanted: readonly string[];
  listRequest(account: ProviderAccount | null): ProviderRequest;
  readList(answer: ProviderAnswer): readonly {
    readonly id: string;
    readonly topic: string;
    readonly endsAt: Date | null;
    /** The callback URL, if reported: another URL means that the subscription is not ours. */
    readonly callbackUrl?: string;
  }[];
  createRequest(
    topic: string,
    callbackUrl: string,
    secrets: WebhookSecrets,
    account: ProviderAccount | null,
  ): ProviderRequest;
  /** Reads `WebhookSecrets.signingSecret` from the response to `createRequest`, the only place that has it. */
  readonly readSecret?: (answer: ProviderAnswer) => string | null;
  readonly renewRequest: ((id: string) => ProviderRequest) | null;
  /** Reads a failure inside a 200, as in `Resource`. Absent: the HTTP status counts. */
  readonly readFailure?: (answer: ProviderAnswer) => ProviderFailure | null;
  deleteRequest(id: string, account: ProviderAccount | null): ProviderRequest;
};
