// What a deleted account has besides its users. Every table with the account's id is covered by the erasure of users or has an
// entry here; the test of the deletion fails for a table that has neither.
import type { AccountId } from '../../../domain/tenancy.ts';
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { removeClientsOf } from '../../clouds/provider-apps/index.ts';
import { removeFeedOf } from '../../notify/events/index.ts';
import { removeWebhooksOf } from '../../notify/webhooks/index.ts';
import { removeRosterOf } from '../../people/memberships/index.ts';
import { removeApiKeys, removeAudit } from '../../tenancy/accounts/index.ts';
import { removeMembersOf } from '../../tenancy/members/index.ts';
import { removeRequestsOf } from '../../tenancy/request-log/index.ts';
import { removeUsageOf } from '../../tenancy/usage/index.ts';

/** Each removes at most `limit` rows and returns how many it removed. */
type AccountEraser = (db: Database, accountId: AccountId, limit: number) => Promise<number>;

export const ACCOUNT_ERASERS: readonly AccountEraser[] = [
  removeWebhooksOf,
  removeFeedOf,
  removeRosterOf,
  removeRequestsOf,
  removeUsageOf,
  removeAudit,
];

/** Small, or needed until the end; removed in the transaction that removes the account. */
export const LAST_ERASERS: readonly ((tx: Transaction, accountId: AccountId) => Promise<void>)[] = [
  removeClientsOf,
  removeMembersOf,
  removeApiKeys,
];
