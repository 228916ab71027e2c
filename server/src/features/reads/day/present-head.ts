// Formats the head of a user's pages. Pure.
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import type { UserHead } from './read-user-head.ts';

const PROBLEMS: Readonly<Record<string, string>> = {
  reauthorize: 'The user has to connect it again.',
  failed: 'The connection failed.',
  expired: 'The link expired before the user connected.',
};

export function presentHead({ handle, user, devices, overrides }: UserHead) {
  return {
    user: {
      id: user.id,
      reference_id: user.referenceId,
      timezone: user.timezone ?? 'UTC',
      metadata: user.metadata,
      created_at: formatInstant(user.createdAt),
      last_sync_at: formatNullableInstant(user.lastSyncAt),
      score_status: user.scoreStatus,
    },
    devices: devices.flatMap(({ device, facts }) =>
      facts === null
        ? []
        : {
            number: facts.number,
            id: device.id,
            provider: device.provider,
            name: facts.name,
            model: facts.model,
            device_class: facts.deviceClass,
            transport: facts.transport,
            os_version: facts.osVersion,
            status: device.status,
            problem: PROBLEMS[device.status] ?? null,
            connected_at: formatNullableInstant(device.connectedAt),
            last_sync_at: formatNullableInstant(device.lastSyncAt),
          },
    ),
    overrides,
    data_revision: handle.dataRevision,
  };
}
