// Deletes an on-device source. A hash remains, so that SDK sessions from before the deletion cannot recreate the source.
import type { DeviceId } from '../../../domain/tenancy.ts';
import type { DerivedSecrets } from '../../../platform/crypto/derived-secret.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { Services } from '../../../platform/services.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { barOfSource } from './source.ts';
import { listKnownSources, listReadableBars, saveBar } from './store.ts';

/** The caller holds the user's lock. */
export async function barSource(
  secrets: DerivedSecrets,
  tx: Transaction,
  user: UserHandle,
  deviceId: DeviceId,
  now: Date,
): Promise<void> {
  const identity = (await listKnownSources(tx, user)).find(({ device }) => device.id === deviceId)?.identity ?? null;
  const bar = identity === null ? null : barOfSource(secrets, user, identity);
  await saveBar(tx, { userId: user.userId, deviceId }, bar, now);
}

const BARS_AT_A_TIME = 500;

/** Runs once after an upgrade, because earlier versions kept the identity of a deleted source. */
export async function hashReadableBars({
  db,
  clock,
  derivedSecrets,
}: Pick<Services, 'clock' | 'db' | 'derivedSecrets'>): Promise<void> {
  for (;;) {
    const bars = await listReadableBars(db, BARS_AT_A_TIME);
    for (const { userId, deviceId, identity } of bars)
      await saveBar(db, { userId, deviceId }, barOfSource(derivedSecrets, { userId }, identity), clock.now());
    if (bars.length < BARS_AT_A_TIME) return;
  }
}
