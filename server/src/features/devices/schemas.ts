// Wire schema of a device, in lists and inside its user.
import Type from 'typebox';
import { nullable, oneOfWords, timestamp, uuid } from '../../platform/http/schema.ts';
import { DEVICE_STATUSES } from './device.ts';

export const deviceReply = Type.Object({
  id: uuid('device'),
  provider: Type.String(),
  status: oneOfWords(DEVICE_STATUSES),
  connected_at: nullable(timestamp()),
  last_sync_at: nullable(timestamp()),
});
