// Deletes the routes and laps of one user, and removes positions from the raw payloads that have them.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Services } from '../../../platform/services.ts';
import { pack, unpack } from '../../../platform/zstd.ts';
import { stripPage } from '../../clouds/sync/index.ts';
import { withoutRoutes } from '../../intake/uploads/index.ts';
import {
  insertPayloads,
  listPayloadsWithRoutes,
  type RawPayload,
  readPayload,
} from '../../store/raw-payloads/index.ts';
import { hasRoutes, removeRoutes } from '../../store/session-store/index.ts';
import { advanceRevision, lockOwnUser, openOwnUser, withUserMutex } from '../../tenancy/user-core/index.ts';

/** Also of users that are no longer shared. Raw payloads are rewritten, not deleted: a replay needs the newest of each record. */
export async function removeRoutesOf(
  services: Pick<Services, 'db' | 'userMutex'>,
  tenant: Tenant,
  userId: UserId,
): Promise<void> {
  const { db } = services;
  const found = await openOwnUser(db, tenant, userId);
  if (found === null) return;
  await withUserMutex(services, tenant, userId, () =>
    db.transaction(async (tx) => {
      const user = (await lockOwnUser(tx, tenant, userId))?.handle;
      if (user === undefined || !(await hasRoutes(tx, user))) return;
      await removeRoutes(tx, user);
      await advanceRevision(tx, user);
    }),
  );
  for (const id of await listPayloadsWithRoutes(db, found.handle)) {
    await db.transaction(async (tx) => {
      const user = (await lockOwnUser(tx, tenant, userId))?.handle;
      const payload = user && (await readPayload(tx, user, id));
      if (user && payload) await insertPayloads(tx, user, [await strip(payload)]);
    });
  }
}

async function strip(payload: RawPayload): Promise<RawPayload> {
  const bytes = await unpack(payload.packed);
  const page =
    payload.kind === 'provider_page'
      ? stripPage({ context: payload.context, bytes })
      : { context: payload.context, bytes: Buffer.from(JSON.stringify(withoutRoutes(JSON.parse(bytes.toString())))) };
  return { ...payload, context: { ...page.context, isStripped: true }, packed: await pack(page.bytes) };
}
