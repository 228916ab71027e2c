// What the terms of providers forbid for the data of one user.
import { type Route, route } from '../../../platform/http/route.ts';
import { openForRead } from '../shared/index.ts';
import { type RestrictedProvider, readRestricted } from './read-restricted.ts';
import { presentRestriction, restrictedReply } from './schemas.ts';

export const restrictionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/users/:user_id/restrictions',
    operationId: 'listRestrictions',
    tag: 'Data reads',
    summary: 'List the providers of a user whose terms restrict the use of their data',
    description:
      'Check it before you pass data on. Exports exclude providers with `owner_only` or `no_resale`, the assistant server those with `no_ai`, unless `passed_on` is true.',
    access: { to: 'api_key_or_own_user', billing: 'checked', userParameter: 'user_id' },
    healthDataOf: 'path_user',
    replies: { 200: restrictedReply },
    present: (restricted: readonly RestrictedProvider[]) => ({
      status: 200,
      body: {
        data: restricted.map(({ provider, restrictions, isPassedOn }) => ({
          provider,
          restrictions: restrictions.map(presentRestriction),
          passed_on: isPassedOn,
        })),
      },
    }),
    errors: ['not_found'],
    handle: async (context, { params }) => readRestricted(context.services, await openForRead(context, params.user_id)),
  }),
];
