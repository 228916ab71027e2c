// Opens a user by the id in a path or body, or throws a 404 with that id.
import { parseUserId, type Tenant, type UserId } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { type AppError, notFound } from '../../../platform/errors.ts';
import { openUser, openUserForOperator } from './store.ts';
import type { UserHandle } from './user-handle.ts';

export async function getUserHandleOrThrow(db: Queryable, tenant: Tenant, id: string): Promise<UserHandle> {
  const handle = await openUser(db, tenant, parseUserIdOrThrow(id));
  if (!handle) throw userNotFound(id);
  return handle;
}

export async function getUserForOperatorOrThrow(db: Queryable, id: string): Promise<UserHandle> {
  const handle = await openUserForOperator(db, parseUserIdOrThrow(id));
  if (!handle) throw userNotFound(id);
  return handle;
}

export function parseUserIdOrThrow(text: string): UserId {
  const id = parseUserId(text);
  if (id === null) throw userNotFound(text);
  return id;
}

export function userNotFound(id: string): AppError {
  return notFound('User', { user_id: id });
}
