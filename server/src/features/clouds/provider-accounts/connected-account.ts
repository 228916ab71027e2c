// A person's account at a provider, and what may be asked in its name.
import type { DeviceId, Tenant, UserId } from '../../../domain/tenancy.ts';

export type ConnectedAccount = {
  readonly userId: UserId;
  readonly deviceId: DeviceId;
  readonly tenant: Tenant;
  readonly provider: string;
  readonly appId: string;
  readonly providerUserId: string;
  /** Null: the provider did not say. */
  readonly scopes: readonly string[] | null;
  readonly tokensExpireAt: Date | null;
  readonly tokenVersion: number;
  /** The provider has definitely refused: the device waits for the person (`reauthorize`). */
  readonly refusedAt: Date | null;
};

export type AccountTokens = { readonly accessToken: string; readonly refreshToken: string | null };

/** Tokens are sealed for this place: moved to another row they do not open. */
export function contextOfTokens({ userId, deviceId }: Pick<ConnectedAccount, 'userId' | 'deviceId'>): string {
  return `provider tokens ${userId} ${deviceId}`;
}
