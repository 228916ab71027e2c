// Mistakes with access and tenancy do not compile. This file is never run: `npm run check` compiles it, and an unused
// "@ts-expect-error" is an error, so each line below must keep failing.
import Type from 'typebox';
import type { Tenant, UserId } from '../src/domain/tenancy.ts';
import { removeDevices } from '../src/features/store/devices/index.ts';
import { openUser, type UserHandle } from '../src/features/tenancy/user-core/index.ts';
import type { Database, Transaction } from '../src/platform/db/database.ts';
import { route } from '../src/platform/http/route.ts';

declare const tx: Transaction;
declare const db: Database;
declare const tenant: Tenant;
declare const userId: UserId;
declare const anyId: string;

const row = {
  method: 'GET',
  path: '/v1/x',
  operationId: 'x',
  tag: 'X',
  summary: 'x',
  replies: { 200: Type.Object({}) },
  present: () => ({ status: 200, body: {} }),
} as const;

export async function proveTenancy(): Promise<void> {
  const handle = await openUser(db, tenant, userId);
  if (handle) await removeDevices(tx, handle);

  // @ts-expect-error the handle may be missing: absent, deleted, or of another tenant
  await removeDevices(tx, handle);
  // @ts-expect-error an id is not a handle
  await removeDevices(tx, userId);
  // @ts-expect-error an object with the same fields is not a handle
  await removeDevices(tx, { userId, tenant, timezone: null });
  // @ts-expect-error a type annotation does not make it a handle
  const forged: UserHandle = { userId, tenant, timezone: null };
  await removeDevices(tx, forged);
  // @ts-expect-error text from a path is not a validated id
  await openUser(db, tenant, anyId);
  // @ts-expect-error the account alone is not a tenant
  await openUser(db, { accountId: tenant.accountId }, userId);
  // @ts-expect-error erasing needs a transaction
  if (handle) await removeDevices(db, handle);
}

const readsNothing = { ...row, healthDataOf: 'nobody' } as const;
export const routes = [
  route({ ...readsNothing, access: { to: 'anyone' }, handle: () => null }),
  // @ts-expect-error a route without access
  route({ ...readsNothing, handle: () => null }),
  // @ts-expect-error a route that does not say whose health data it returns
  route({ ...row, access: { to: 'anyone' }, handle: () => null }),
  // @ts-expect-error a kind of access that does not exist
  route({ ...readsNothing, access: { to: 'everybody' }, handle: () => null }),
  // @ts-expect-error a keyed route that does not declare whether it requires payment
  route({ ...readsNothing, access: { to: 'api_key' }, handle: () => null }),
  // @ts-expect-error a user's route that does not name its user parameter
  route({ ...readsNothing, access: { to: 'api_key_or_own_user', billing: 'checked' }, handle: () => null }),
  // @ts-expect-error a public route has no caller
  route({ ...readsNothing, access: { to: 'anyone' }, handle: ({ caller }) => caller.tenant }),
  route({ ...readsNothing, access: { to: 'api_key', billing: 'checked' }, handle: ({ caller }) => caller.tenant }),
];
