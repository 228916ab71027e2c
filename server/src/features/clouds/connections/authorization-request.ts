// One attempt of a person to connect an account: from the address that was given out to the answer of the provider. Pure.
import type { DeviceId, Tenant, UserId } from '../../../domain/tenancy.ts';

export type AuthorizationRequest = {
  /** Of the address; names the attempt. */
  readonly secretHash: Buffer;
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly tenant: Tenant;
  readonly provider: string;
  readonly appId: string;
  readonly redirectUrl: string | null;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  /** Null: the person has not agreed. */
  readonly browserHash: Buffer | null;
  readonly sealedState: Buffer | null;
  readonly finishedAt: Date | null;
};

/** What goes to the provider with the person, and has to come back. */
export type AuthorizationState = { readonly state: string; readonly codeVerifier: string | null };

export const AUTHORIZATION_MS = 30 * 60_000;

/** `open`: to be decided. `allowed`: at the provider. */
export type AuthorizationStage = 'open' | 'allowed' | 'used' | 'expired';

export function stageOf(
  { decidedAt, browserHash, finishedAt, expiresAt }: AuthorizationRequest,
  now: Date,
): AuthorizationStage {
  if (finishedAt !== null) return 'used';
  if (expiresAt <= now) return 'expired';
  if (decidedAt === null) return 'open';
  return browserHash === null ? 'used' : 'allowed';
}

/** Errands are sealed for their attempt: moved to another they do not open. */
export function contextOfState({ secretHash }: Pick<AuthorizationRequest, 'secretHash'>): string {
  return `connection ${secretHash.toString('hex')}`;
}
