// One request to connect a provider account, from the link we hand out to the provider's callback. Pure.

import type { ConnectionFailure } from '../../../domain/connection-failure.ts';
import type { DeviceId, Tenant, UserId } from '../../../domain/tenancy.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';

export type AuthorizationRequest = {
  /** Hash of the secret in the link; identifies the request. */
  readonly secretHash: Buffer;
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly tenant: Tenant;
  readonly provider: string;
  readonly appId: string;
  readonly redirectUrl: string | null;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  /** Null until the user agrees. */
  readonly browserHash: Buffer | null;
  readonly sealedState: Buffer | null;
  readonly finishedAt: Date | null;
  /** Null until the outcome is known. */
  readonly ending: Ending | null;
  readonly visit: Visit;
};

/** A link without a provider: it opens the list of providers and starts an authorization request for the chosen one. */
export type PickerLink = Pick<AuthorizationRequest, 'userId' | 'tenant' | 'redirectUrl' | 'expiresAt'>;

/** How the user opened the link. */
export type Visit = {
  /** The result is posted to the window that opened the link. */
  readonly isPopup: boolean;
  /** From `?lang=`; null: as the browser asks. */
  readonly language: string | null;
};

export type ConnectFailure = Exclude<ConnectionFailure, 'revoked'>;
export type Ending =
  | { readonly status: 'active'; readonly deviceId: DeviceId }
  | { readonly status: 'failed'; readonly deviceId: DeviceId; readonly reason: ConnectFailure };

/** Sent to the provider with the user and checked when the user returns. */
export type AuthorizationState = { readonly state: string; readonly codeVerifier: string | null };

export const AUTHORIZATION_MS = 30 * MINUTE_MS;

/** `open`: not decided yet. `allowed`: the user is at the provider. */
type AuthorizationStage = 'open' | 'allowed' | 'used' | 'expired';

export function stageOf(
  { decidedAt, browserHash, finishedAt, expiresAt }: AuthorizationRequest,
  now: Date,
): AuthorizationStage {
  if (finishedAt !== null) return 'used';
  if (expiresAt <= now) return 'expired';
  if (decidedAt === null) return 'open';
  return browserHash === null ? 'used' : 'allowed';
}

/** The state is sealed for its own request, so a copy in another row does not open. */
export function contextOfState({ secretHash }: Pick<AuthorizationRequest, 'secretHash'>): string {
  return `connection ${secretHash.toString('hex')}`;
}
