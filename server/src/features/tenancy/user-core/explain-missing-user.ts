// Explains a 404 if the user exists in the account's other environment. Usually a live key is used for a sandbox user.
import { parseUserId, type Tenant } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { openUser } from './store.ts';

/** Returns the error unchanged if the other environment has no such user either, so that users of other accounts stay hidden. */
export async function explainMissingUser(db: Queryable, tenant: Tenant, error: AppError): Promise<AppError> {
  const { user_id: text } = error.details;
  const userId = typeof text === 'string' ? parseUserId(text) : null;
  if (userId === null) return error;
  const { environment, accountId } = tenant;
  const other = environment === 'live' ? 'sandbox' : 'live';
  if ((await openUser(db, { accountId, environment: other }, userId)) === null) return error;
  const message = `User ${text} was not found: it is a ${other} user and this is a ${environment} key. Use a ${other} key (sk_${other}_…).`;
  return new AppError(error.code, { message, details: error.details });
}
