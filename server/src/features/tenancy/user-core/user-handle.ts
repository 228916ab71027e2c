// The key to a person's health data. Stores of health tables take a UserHandle, and only this feature's store
// makes one, after checking account and environment: a missing tenant check does not compile.
import type { ConsolidationSettings } from '../../../domain/consolidate/consolidation-rules.ts';
import type { Tenant, UserId } from '../../../domain/tenancy.ts';

declare const checked: unique symbol;

export type UserHandle = {
  readonly userId: UserId;
  readonly tenant: Tenant;
  readonly timezone: string | null;
  /** Grows with every change of what is read of the user. */
  readonly dataRevision: number;
  /** No stored sample lasts longer: how far back one can begin that lasts into a day. */
  readonly longestSampleMs: number;
  readonly consolidation: ConsolidationSettings;
  /** When it was last taken out of sharing: what was handed out before then stays dead after a return. */
  readonly unsharedAt: Date | null;
  readonly [checked]: true;
};
