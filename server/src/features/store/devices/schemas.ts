// Response schema of a device, in lists and inside its user.

import { CONNECTION_FAILURES } from '../../../domain/connection-failure.ts';
import { SCOPES } from '../../../domain/metrics/categories.ts';
import { nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { BACKFILL_STATES, DEVICE_STATUSES } from './device.ts';

const category = () => oneOfWords(SCOPES, { title: 'DataScope' });

export const deviceReply = Type.Object(
  {
    id: uuid('device'),
    provider: Type.String(),
    status: oneOfWords(DEVICE_STATUSES, { title: 'DeviceStatus' }),
    connected_at: nullable(timestamp()),
    last_sync_at: nullable(timestamp()),
    merged_into: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'the earlier device of the same provider account, which stores the data',
      }),
    ),
    backfill: Type.Optional(
      Type.Object(
        { state: oneOfWords(BACKFILL_STATES), from_date: nullable(Type.String({ format: 'date' })) },
        { title: 'DeviceBackfill', description: 'only for cloud providers: how far back the history is fetched' },
      ),
    ),
    failure_reason: Type.Optional(
      oneOfWords(CONNECTION_FAILURES, {
        title: 'ConnectionFailure',
        description:
          'why the device is not connected: the user declined, the provider failed, the link expired, the user shared no data, or the provider revoked access later',
      }),
    ),
    granted: Type.Optional(
      Type.Array(category(), {
        description:
          'categories of data that the user granted at the provider; absent if the provider does not report them',
      }),
    ),
    missing: Type.Optional(
      Type.Array(category(), {
        description: 'categories that the user did not grant, or not fully; partly granted ones are in both lists',
      }),
    ),
  },
  { title: 'Device' },
);
