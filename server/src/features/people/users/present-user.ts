// Presents the user fields that are the same in both API forms. Pure.
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { presentDevice } from '../../store/devices/index.ts';
import type { User } from '../../tenancy/user-core/index.ts';
import type { UserDetail } from './user-detail.ts';

export function presentUserFields(user: User) {
  return {
    timezone: user.timezone,
    status: user.status,
    score_status: user.scoreStatus,
    last_sync_at: formatNullableInstant(user.lastSyncAt),
    last_score_at: formatNullableInstant(user.lastScoreAt),
    created_at: formatInstant(user.createdAt),
    profile: user.profile,
    metadata: user.metadata,
  };
}

export function presentUserDetail({ user, devices }: UserDetail) {
  return {
    ...presentUserFields(user),
    devices: devices.map(presentDevice),
    sync: {
      last_sync_at: formatNullableInstant(user.lastSyncAt),
      devices_active: devices.filter(({ status, mergedInto }) => status === 'active' && mergedInto === null).length,
      devices_failing: devices.filter((device) => device.status === 'failed' || device.status === 'reauthorize').length,
    },
  };
}
