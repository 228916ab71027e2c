// The devices that a reinstalled app left behind. A source that says nothing of itself is identified by the installation, so that
// the same phone is a new device after a reinstall, and what it deletes may be stored under an earlier one.
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SourceDevice } from './device.ts';
import { isOfAnyInstallation } from './source.ts';
import { type KnownSource, listKnownSources } from './store.ts';

/** The latest of them: each costs a few queries per deletion, and nobody reinstalls an app more often. */
const MAX_INSTALLATIONS = 20;

/** Without the device itself. Empty where that is identified by what it says of itself: it is the same after a reinstall. */
export function findOtherInstallations(known: readonly KnownSource[], device: DeviceNumber): SourceDevice[] {
  const own = known.find((one) => one.device.number === device);
  if (own === undefined || !isOfAnyInstallation(own.identity, own.device.provider)) return [];
  return known
    .filter((one) => one !== own && one.disconnectedAt === null)
    .filter((one) => isOfAnyInstallation(one.identity, own.device.provider))
    .map((one) => one.device)
    .slice(-MAX_INSTALLATIONS);
}

export async function listOtherInstallations(
  tx: Transaction,
  user: UserHandle,
  device: DeviceNumber,
): Promise<SourceDevice[]> {
  return findOtherInstallations(await listKnownSources(tx, user), device);
}
