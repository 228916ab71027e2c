// The key to a person's health data. Stores of health tables take a UserHandle, and only this feature's store
// makes one, after checking account and environment: a missing tenant check does not compile.
import type { Tenant, UserId } from '../../domain/tenancy.ts';

declare const checked: unique symbol;

export type UserHandle = {
  readonly userId: UserId;
  readonly tenant: Tenant;
  readonly timezone: string | null;
  readonly [checked]: true;
};
