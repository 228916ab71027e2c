// What a dialect may ask the simulator for, of its own provider alone.

import type { FaultKind } from '../domain/sandbox/simulated-faults.ts';
import type { Account } from './account-store.ts';
import type { ClientCredentials } from './oauth/client-authentication.ts';
import type { Push, PushAnswer } from './push-queue.ts';
import type { Claims } from './signed-claims.ts';
import type { SubscriptionStore } from './subscription-store.ts';

export type ProviderContext = {
  /** Where the provider's paths begin, for links in what it tells. */
  readonly baseUrl: string;
  readonly client: ClientCredentials;
  /** Where notices go that are set up in a portal. Null: nowhere. */
  readonly webhookUrl: string | null;
  readonly subscriptions: SubscriptionStore;
  /** Things to remember, such as "this backfill was asked for": by name. */
  readonly facts: Map<string, string>;
  now(): Date;
  /** At once, for handshakes. Null: nobody answered. */
  send(push: Push): Promise<PushAnswer | null>;
  /** Soon after the answer. */
  queue(pushes: readonly Push[]): void;
  /** A secret of its own, the same each time: nonces, signing keys. */
  derive(name: string): Buffer;
  /** Null: not good, or no longer. */
  readAccess(token: string): Claims | null;
  /** Null: not good, or no longer. */
  readRefresh(token: string): Claims | null;
  revoke(claims: Claims): void;
  /** All that a person gave who is named by something else than a token. False: nobody is meant. */
  revokeAccount(isMeant: (account: Account) => boolean): boolean;
  /** Whether a fault happens that only this dialect can act out; counted. */
  takeFault(kind: FaultKind, account: string): boolean;
};
