// How devices come and go. On-device sources come with their first upload.
import { dialect, type Route, route } from '../../platform/http/route.ts';
import { disconnectDevice } from './disconnect-device.ts';

export const connectionRoutes: readonly Route[] = [
  route({
    method: 'DELETE',
    path: '/v1/users/:user_id/devices/:device_id',
    operationId: 'disconnectDevice',
    tag: 'Devices',
    summary: 'Disconnect a device and remove its data',
    description:
      'Its days are chosen anew from the other devices. What it sends later is refused until a new SDK session is created.',
    access: { to: 'api_key', billing: 'exempt' },
    dialects: {
      both: dialect({
        replies: { 204: null },
        parse: ({ params }) => ({ userId: params.user_id ?? '', deviceId: params.device_id ?? '' }),
        present: () => ({ status: 204, body: null }),
      }),
    },
    errors: ['not_found'],
    handle: disconnectDevice,
  }),
];
