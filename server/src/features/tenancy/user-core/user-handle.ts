// Gives access to a user's health data. Stores of health tables require a UserHandle, and only this feature's store
// creates one, after checking account and environment. A missing tenant check therefore does not compile.
import type { ConsolidationSettings } from '../../../domain/consolidate/consolidation-rules.ts';
import type { Tenant, UserId } from '../../../domain/tenancy.ts';

declare const checked: unique symbol;

export type UserHandle = {
  readonly userId: UserId;
  readonly tenant: Tenant;
  readonly timezone: string | null;
  /** Increases with every change of the user's readable data. */
  readonly dataRevision: number;
  /** The longest stored sample: how long before a day a sample that reaches into it can start. */
  readonly longestSampleMs: number;
  readonly consolidation: ConsolidationSettings;
  /** When sharing last ended. Tokens issued before stay invalid if the user is shared again. */
  readonly unsharedAt: Date | null;
  readonly [checked]: true;
};
