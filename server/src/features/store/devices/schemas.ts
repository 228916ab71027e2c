// Response schema of a device, in lists and inside its user.

import { nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { BACKFILL_STATES, DEVICE_STATUSES } from './device.ts';

export const deviceReply = Type.Object({
  id: uuid('device'),
  provider: Type.String(),
  status: oneOfWords(DEVICE_STATUSES),
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
      { description: 'only for cloud providers: how far back the history is fetched' },
    ),
  ),
});
