// How devices describe themselves, for people who look for a device by its name.

import type { Transport } from '../../../domain/consolidate/ranking.ts';
import type { DeviceClass } from '../../../domain/metrics/index.ts';
import type { DeviceId, DeviceNumber } from '../../../domain/tenancy.ts';
import { type Queryable, statement } from '../../../platform/db/database.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';

export type DeviceFacts = {
  readonly id: DeviceId;
  readonly number: DeviceNumber;
  readonly deviceClass: DeviceClass;
  readonly transport: Transport;
  readonly name: string | null;
  readonly model: string | null;
  readonly osVersion: string | null;
};

const LIST_FACTS = statement(
  'list_device_facts',
  `select id, number, device_class as "deviceClass", transport, name, model, os_version as "osVersion"
     from devices where user_id = $1 and status <> 'disconnected' order by number, created_at, id`,
);

/** Devices that are not deleted, also those that were never connected. */
export async function listDeviceFacts(db: Queryable, user: UserHandle): Promise<DeviceFacts[]> {
  return db.query<DeviceFacts>(LIST_FACTS, [user.userId]);
}
