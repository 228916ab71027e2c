// A user's account at a provider, with the scopes that were granted.
import type { DeviceId, Tenant, UserId } from '../../../domain/tenancy.ts';

export type ConnectedAccount = {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly tenant: Tenant;
  readonly provider: string;
  readonly appId: string;
  readonly providerUserId: string;
  /** Null: the provider did not report them. */
  readonly scopes: readonly string[] | null;
  readonly tokensExpireAt: Date | null;
  readonly tokenVersion: number;
  /** Set once the provider rejects the tokens permanently; the device is then `reauthorize`. */
  readonly refusedAt: Date | null;
};

export type AccountTokens = { readonly accessToken: string; readonly refreshToken: string | null };

/** Tokens are sealed for their own row, so a copy in another row does not open. */
export function contextOfTokens({ userId, deviceId }: Pick<ConnectedAccount, 'userId' | 'deviceId'>): string {
  return `provider tokens ${userId} ${deviceId}`;
}
