// The endpoint that requests a sync. The same in both API forms.

import { type Route, route } from '../../../platform/http/route.ts';
import { oneOfWords, requestObject, uuid, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { type RequestedSync, requestSync } from './request-sync.ts';

export const syncRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/users/:user_id/devices/:device_id/sync',
    operationId: 'syncDevice',
    tag: 'Devices',
    summary: "Fetch a device's recent data from its provider now",
    description:
      'Works for cloud devices, within the provider’s rate limits. Calls within one minute count as one sync. Events report what changed. With `history=true` we fetch the whole history again, as after connecting: `backfill` of the device shows the progress, and `device.backfilled` reports the end; until then further calls change nothing. For the ring and watch that a sandbox user starts with, the call adds the days that have ended since.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'nobody',
    query: requestObject({
      history: withDefault(Type.Boolean({ description: 'fetch the whole history again, not only recent days' }), false),
    }),
    replies: {
      202: Type.Object({ device_id: uuid('the device'), status: oneOfWords(['syncing']) }, { title: 'DeviceSync' }),
    },
    parse: ({ params, query }) => ({
      userId: params.user_id,
      deviceId: params.device_id,
      withHistory: query.history,
    }),
    present: ({ deviceId }: RequestedSync) => ({ status: 202, body: { device_id: deviceId, status: 'syncing' } }),
    errors: ['not_found', 'device_not_syncable'],
    handle: requestSync,
  }),
];
