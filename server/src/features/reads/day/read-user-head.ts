// The head of a user's pages: the person, the devices and the settings.

import { CONSOLIDATION_KEYS } from '../../../domain/consolidate/consolidation-keys.ts';
import { createRules } from '../../../domain/consolidate/consolidation-rules.ts';
import { type Device, type DeviceFacts, listDeviceFacts, readUserWithDevices } from '../../store/devices/index.ts';
import {
  parseUserIdOrThrow,
  type User,
  type UserHandle,
  userNotFound,
  withScoreStatus,
} from '../../tenancy/user-core/index.ts';
import { openForRead, type ReadContext } from '../shared/index.ts';

export type UserHead = {
  readonly handle: UserHandle;
  readonly user: User;
  readonly devices: readonly { readonly device: Device; readonly facts: DeviceFacts | null }[];
  /** Consolidation keys that differ from the defaults, and disabled providers. */
  readonly overrides: number;
};

export async function readUserHead(context: ReadContext, userId: string): Promise<UserHead> {
  const { services, caller } = context;
  const { db } = services;
  const now = services.clock.now();
  const handle = await openForRead(context, userId);
  const [found, facts] = await Promise.all([
    readUserWithDevices(db, caller.tenant, parseUserIdOrThrow(userId), now),
    listDeviceFacts(db, handle),
  ]);
  if (found === null) throw userNotFound(userId);
  const factsOf = (device: Device) => facts.find(({ id }) => id === device.id) ?? null;
  return {
    handle,
    user: withScoreStatus(found.user, now),
    devices: found.devices.map((device) => ({ device, facts: factsOf(device) })),
    overrides: countOverrides(handle),
  };
}

function countOverrides({ consolidation }: UserHandle): number {
  const rules = createRules(consolidation);
  const isChanged = (key: string) => (consolidation.metrics[key]?.providersOff.length ?? 0) > 0;
  const changed = CONSOLIDATION_KEYS.filter((one) => rules.isOverridden(one) || isChanged(one.key));
  return changed.length + consolidation.providersOff.length;
}
