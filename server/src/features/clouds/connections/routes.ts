// Connects and disconnects devices. On-device sources connect with their first upload.
import type { Static, TSchema } from 'typebox';
import { type Dialect, dialect, noContent, type Route, route, twoFormRoute } from '../../../platform/http/route.ts';
import { Type } from '../../../platform/json-schema.ts';
import { type BeginInput, type BegunConnection, beginConnection } from './begin-connection.ts';
import { disconnectDevice } from './disconnect-device.ts';
import { connectBody, connectReply } from './schemas.ts';

const tag = 'Devices';

export const connectionRoutes: readonly Route[] = [
  twoFormRoute({
    method: 'POST',
    path: '/v1/users/:user_id/devices',
    operationId: 'connectDevice',
    tag,
    summary: 'Create a link to a hosted page where the user connects a cloud provider',
    description:
      'With `provider: null` the page lists the configured providers, and the user can connect several. `id` and `provider` of the response are then null; the redirect and `device.connected` name the device. If the only device of that provider is `reauthorize`, `failed` or `expired`, the call returns the same device. If the user connects a provider account that is already connected, that account keeps its earlier device and the new device is merged into it.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'nobody',
    dialects: {
      1: connectDialect(
        Type.Object({ data: connectReply }, { title: 'DeviceConnectionEnvelopeForm1' }),
        (connection) => ({
          data: connection,
        }),
      ),
      2: connectDialect(connectReply, (connection) => connection),
    },
    errors: ['not_found', 'unknown_provider', 'connects_through_sdk', 'provider_not_configured', 'device_limit'],
    handle: beginConnection,
  }),
  route({
    method: 'DELETE',
    path: '/v1/users/:user_id/devices/:device_id',
    operationId: 'disconnectDevice',
    tag,
    summary: 'Disconnect a device and remove its data',
    description:
      'The affected days are consolidated again from the remaining devices, and access at the provider is revoked. Later uploads of an on-device source are rejected until you create a new SDK session.',
    access: { to: 'api_key', billing: 'exempt' },
    healthDataOf: 'nobody',
    cost: 'computation',
    ...noContent,
    parse: ({ params }) => ({ userId: params.user_id, deviceId: params.device_id }),
    errors: ['not_found'],
    handle: disconnectDevice,
  }),
];

function connectDialect(
  reply: TSchema,
  wrap: (connection: Static<typeof connectReply>) => object,
): Dialect<BeginInput, BegunConnection> {
  return dialect({
    params: ['user_id'],
    body: connectBody,
    replies: { 200: reply },
    parse: ({ params, body }) => ({
      userId: params.user_id,
      provider: body.provider,
      redirectUrl: body.redirect_url ?? null,
    }),
    present: ({ deviceId, provider, authUrl }) => ({
      status: 200,
      body: wrap({ id: deviceId, provider, status: 'pending', auth_url: authUrl }),
      headers: { 'cache-control': 'no-store' },
    }),
  });
}
