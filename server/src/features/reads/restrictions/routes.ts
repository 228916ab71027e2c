// What the terms of providers forbid for the data of one user.
import { type Route, route } from '../../../platform/http/route.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  presentRestricted,
  type RestrictedProvider,
  readRestricted,
  restrictedProvider,
} from '../../store/devices/index.ts';
import { openForRead } from '../shared/index.ts';

export const restrictionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/users/:user_id/restrictions',
    operationId: 'listRestrictions',
    tag: 'Data reads',
    summary: 'List the providers of a user whose terms restrict the use of their data',
    description:
      'Check it before you pass data on. Exports exclude providers with `owner_only` or `no_resale`, the assistant server those with `no_ai`, unless `passed_on` is true. With a user token, read `restricted_providers` of the list of devices.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'path_user',
    replies: { 200: Type.Object({ data: Type.Array(restrictedProvider) }, { title: 'RestrictedProviderList' }) },
    present: (restricted: readonly RestrictedProvider[]) => ({
      status: 200,
      body: { data: restricted.map(presentRestricted) },
    }),
    errors: ['not_found'],
    handle: async (context, { params }) => readRestricted(context.services, await openForRead(context, params.user_id)),
  }),
];
