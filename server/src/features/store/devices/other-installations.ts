// Devices of earlier installations of an app. A source without id, model and name is identified by the installation, so the same phone is
// a new device after a reinstall, and records that it deletes may be stored under an earlier device.
import type { DeviceNumber } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import type { SourceDevice } from './device.ts';
import { isOfAnyInstallation } from './source.ts';
import { type KnownSource, listKnownSources } from './store.ts';

/** The latest installations: each costs a few queries per deletion, and users rarely reinstall an app more often. */
const MAX_INSTALLATIONS = 20;

/** Without the device itself. Empty if the device has an id, model or name, and so stays the same after a reinstall. */
export function findOtherInstallations(known: readonly KnownSource[], device: DeviceNumber): SourceDevice[] {
  const current = known.find((one) => one.device.number === device);
  if (current === undefined || !isOfAnyInstallation(current.identity, current.device.provider)) return [];
  return known
    .filter((one) => one !== current && one.disconnectedAt === null)
    .filter((one) => isOfAnyInstallation(one.identity, current.device.provider))
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
