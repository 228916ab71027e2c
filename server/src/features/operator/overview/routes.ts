// The dashboard's endpoints of the home page.
import { formatInstant } from '../../../domain/time/calendar.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { presentRequest, requestSchema } from '../../tenancy/request-log/index.ts';
import { overviewSchema } from './present-overview.ts';
import { type FirstSteps, readFirstSteps } from './read-first-steps.ts';
import { type OverviewReply, readOverview } from './read-overview.ts';
import { RANGES } from './series.ts';

const tag = 'Overview';
const access = { to: 'member', role: 'viewer' } as const;

export const overviewRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/overview',
    operationId: 'getOverview',
    tag,
    summary: 'Read what needs attention, what flows and the counts of a range',
    description: 'Computed at most every five seconds; counts of more than 500 devices or events once a minute.',
    access,
    healthDataOf: 'nobody',
    isConditional: true,
    query: requestObject({ range: withDefault(oneOfWords(RANGES), 'hour') }),
    replies: { 200: overviewSchema },
    parse: ({ query }) => query,
    present: (body: OverviewReply) => ({ status: 200, body }),
    handle: readOverview,
  }),
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/first-steps',
    operationId: 'getFirstSteps',
    tag,
    summary: 'Read which of the first steps are done',
    access,
    healthDataOf: 'nobody',
    replies: {
      200: Type.Object({
        users: Type.Integer(),
        key: nullable(Type.Object({ last_four: Type.String(), created_at: timestamp(), is_used: Type.Boolean() })),
        first_user: nullable(Type.Object({ id: uuid('user'), reference_id: nullable(Type.String()) })),
        created: nullable(requestSchema),
        explained: nullable(requestSchema),
        is_listening: Type.Boolean(),
        is_connected: Type.Boolean(),
      }),
    },
    present: (steps: FirstSteps) => ({ status: 200, body: presentSteps(steps) }),
    handle: readFirstSteps,
  }),
];

function presentSteps({ users, key, firstUser, created, explained, isListening, isConnected }: FirstSteps) {
  return {
    users,
    key: key && { last_four: key.lastFour, created_at: formatInstant(key.createdAt), is_used: key.isUsed },
    first_user: firstUser && { id: firstUser.id, reference_id: firstUser.referenceId },
    created: created && presentRequest(created),
    explained: explained && presentRequest(explained),
    is_listening: isListening,
    is_connected: isConnected,
  };
}
