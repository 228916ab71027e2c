// The connections of a user, for the dashboard.
import { type Route, route } from '../../../platform/http/route.ts';
import { connectionsReply, presentConnections } from './present-connections.ts';
import { readConnections } from './read-connections.ts';

export const connectionMemberRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/users/:user_id/connections',
    operationId: 'listConnections',
    tag: 'Users',
    summary: "Get a user's connections with their link, history, polls, failures and newest sync runs",
    access: { to: 'member', role: 'viewer' },
    healthDataOf: 'path_user',
    replies: { 200: connectionsReply },
    present: (body: ReturnType<typeof presentConnections>) => ({ status: 200, body }),
    errors: ['not_found'],
    handle: async (context, { params }) =>
      presentConnections(await readConnections(context, { userId: params.user_id }), context.services.clock.now()),
  }),
];
