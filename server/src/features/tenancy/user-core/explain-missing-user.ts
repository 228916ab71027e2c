// Explains a 404 with the usual mistakes: a live key for a sandbox user, or the reference of a user instead of its id.
import { parseUserId, type Tenant } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { findUserByReference, openUser } from './store.ts';

/** Returns the error unchanged if the account has no such user, so that users of other accounts stay hidden. */
export async function explainMissingUser(db: Queryable, tenant: Tenant, error: AppError): Promise<AppError> {
  const { user_id: text } = error.details;
  if (typeof text !== 'string') return error;
  const reason = (await findInOtherEnvironment(db, tenant, text)) ?? (await findByReference(db, tenant, text));
  if (reason === null) return error;
  return new AppError(error.code, { message: `User ${text} was not found: ${reason}`, details: error.details });
}

async function findInOtherEnvironment(
  db: Queryable,
  { accountId, environment }: Tenant,
  text: string,
): Promise<string | null> {
  const userId = parseUserId(text);
  const other = environment === 'live' ? 'sandbox' : 'live';
  if (userId === null || (await openUser(db, { accountId, environment: other }, userId)) === null) return null;
  return `it is a ${other} user and this is a ${environment} key. Use a ${other} key (sk_${other}_…).`;
}

async function findByReference(db: Queryable, tenant: Tenant, text: string): Promise<string | null> {
  const userId = await findUserByReference(db, tenant, text);
  return userId === null ? null : `it is the reference of the user ${userId}. Use that id.`;
}
