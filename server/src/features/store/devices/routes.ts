// Devices of a user. Both forms return the same shape.

import { type Route, route } from '../../../platform/http/route.ts';
import { Type } from '../../../platform/json-schema.ts';
import { getUserHandleOrThrow } from '../../tenancy/user-core/index.ts';
import { type Device, presentDevice } from './device.ts';
import { type RestrictedProvider, readRestricted } from './read-restricted.ts';
import { presentRestricted, restrictedProvider } from './restriction-schemas.ts';
import { deviceReply } from './schemas.ts';
import { listDevices } from './store.ts';

const deviceList = Type.Object(
  {
    data: Type.Array(deviceReply),
    restricted_providers: Type.Array(restrictedProvider, {
      description: 'providers of the data of this user whose terms restrict its use',
    }),
  },
  { title: 'DeviceList' },
);

type Listed = { readonly devices: readonly Device[]; readonly restricted: readonly RestrictedProvider[] };

export const deviceRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/users/:user_id/devices',
    operationId: 'listDevices',
    tag: 'Devices',
    summary: 'List the devices of a user, oldest first',
    description:
      'A device is one source of data: a connected provider account, or a source behind the Mobile SDK. Devices that failed to connect have a `failure_reason`.',
    access: { to: 'api_key_or_own_user', billing: 'checked', userParameter: 'user_id' },
    healthDataOf: 'path_user',
    replies: { 200: deviceList },
    present: ({ devices, restricted }: Listed) => ({
      status: 200,
      body: { data: devices.map(presentDevice), restricted_providers: restricted.map(presentRestricted) },
    }),
    errors: ['not_found'],
    async handle({ services, caller }, { params }) {
      const user = await getUserHandleOrThrow(services.db, caller.tenant, params.user_id);
      const devices = await listDevices(services.db, user, services.clock.now());
      return { devices, restricted: await readRestricted(services, user) };
    },
  }),
];
