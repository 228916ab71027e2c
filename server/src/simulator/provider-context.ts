// What a dialect can use of the simulator, limited to its own provider.

import type { FaultKind } from '../domain/sandbox/simulated-faults.ts';
import type { SimulatedAccount } from './account-store.ts';
import type { ClientCredentials } from './oauth/client-authentication.ts';
import type { Push, PushAnswer } from './push-queue.ts';
import type { Claims } from './signed-claims.ts';
import type { SubscriptionStore } from './subscription-store.ts';

export type ProviderContext = {
  /** The base URL of the provider's paths, for links in webhooks. */
  readonly baseUrl: string;
  readonly client: ClientCredentials;
  /** The webhook URL, for providers that configure it in a portal. Null: none. */
  readonly webhookUrl: string | null;
  readonly subscriptions: SubscriptionStore;
  /** Remembered state by name, such as "this backfill was requested". */
  readonly facts: Map<string, string>;
  now(): Date;
  /** Sends at once, for handshakes. Null: no response. */
  send(push: Push): Promise<PushAnswer | null>;
  /** Sends shortly after the response. */
  queue(pushes: readonly Push[]): void;
  /** A derived secret, always the same for a name: nonces, signing keys. */
  derive(name: string): Buffer;
  /** Null: invalid or expired. */
  readAccess(token: string): Claims | null;
  /** Null: invalid or expired. */
  readRefresh(token: string): Claims | null;
  revoke(claims: Claims): void;
  /** Revokes all grants of a user who is identified by something other than a token. False: no such user. */
  revokeAccount(isMeant: (account: SimulatedAccount) => boolean): boolean;
  /** Whether a fault that only this dialect can simulate occurs; counted. */
  takeFault(kind: FaultKind, account: string): boolean;
};
