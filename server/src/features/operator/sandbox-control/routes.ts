// The sandbox actions of the dashboard: scenarios of a user, and faults of simulated providers.
import { CLOUD_PROVIDER_IDS } from '../../../domain/provider-ids.ts';
import { type ActiveFault, FAULT_KINDS, FAULTY_REQUESTS } from '../../../domain/sandbox/simulated-faults.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { noContent, type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { scenarioFormat, writeScenario } from '../../sandbox/sandbox-users/index.ts';
import { actorOf } from '../../tenancy/accounts/index.ts';
import { getUserHandleOrThrow } from '../../tenancy/user-core/index.ts';
import { addFault, type FaultList, listFaults, removeFaults } from './member-faults.ts';

const tag = 'Sandbox';
const developer = { to: 'member', role: 'developer', environment: 'sandbox' } as const;
const MAX_TIMES = 1_000;
const MAX_DELAY_MS = MINUTE_MS;

const faultFields = {
  kind: oneOfWords(FAULT_KINDS),
  provider: oneOfWords(CLOUD_PROVIDER_IDS),
  times: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_TIMES, description: 'default: until the fault is removed' }),
  ),
  on: Type.Optional(oneOfWords(FAULTY_REQUESTS, { description: 'default: data' })),
  delay_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DELAY_MS, description: 'only for slow' })),
};
const faultReply = Type.Object({
  id: Type.Integer(),
  kind: Type.String(),
  provider: Type.String(),
  account: nullable(Type.String({ description: 'the person at the simulated provider' })),
  times: nullable(Type.Integer({ description: 'null: until it is removed' })),
});

export const sandboxMemberRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/dashboard/api/:environment/sandbox/scenarios',
    operationId: 'runScenario',
    tag,
    summary: "Run a scenario: rewrite a sandbox user's last days through the same pipeline as uploads",
    access: developer,
    healthDataOf: 'nobody',
    ...scenarioFormat,
    errors: ['not_found', 'invalid_body'],
    async handle({ services, caller, requestId }, { body }) {
      const { userId } = await getUserHandleOrThrow(services.db, caller.tenant, body.user_id); // of this account
      return writeScenario(services, { userId, name: body.name }, actorOf({ caller, requestId }));
    },
  }),
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/sandbox/faults',
    operationId: 'listFaults',
    tag,
    summary: 'List the active faults of simulated providers',
    access: { ...developer, role: 'viewer' },
    healthDataOf: 'nobody',
    replies: {
      200: Type.Object({
        data: Type.Array(faultReply),
        can_change: Type.Boolean({
          description: 'false: other accounts share the simulator, and you are not an operator',
        }),
      }),
    },
    present: ({ faults, canChange }: FaultList) => ({
      status: 200,
      body: { data: faults.map(presentFault), can_change: canChange },
    }),
    errors: [],
    handle: listFaults,
  }),
  route({
    method: 'POST',
    path: '/dashboard/api/:environment/sandbox/faults',
    operationId: 'addFault',
    tag,
    summary: 'Add a fault to a simulated provider',
    access: developer,
    healthDataOf: 'nobody',
    body: requestObject(faultFields),
    replies: { 201: faultReply },
    present: (fault: ActiveFault) => ({ status: 201, body: presentFault(fault) }),
    errors: ['shared_simulator'],
    handle: (context, { body }) => addFault(context, body),
  }),
  route({
    method: 'DELETE',
    path: '/dashboard/api/:environment/sandbox/faults',
    operationId: 'removeFaults',
    tag,
    summary: 'Remove all faults',
    access: developer,
    healthDataOf: 'nobody',
    ...noContent,
    errors: ['shared_simulator'],
    handle: (context) => removeFaults(context, null),
  }),
  route({
    method: 'DELETE',
    path: '/dashboard/api/:environment/sandbox/faults/:fault_id',
    operationId: 'removeFault',
    tag,
    summary: 'Remove a fault',
    access: developer,
    healthDataOf: 'nobody',
    ...noContent,
    errors: ['not_found', 'shared_simulator'],
    handle: (context, { params }) => removeFaults(context, Number(params.fault_id)),
  }),
];

function presentFault({ id, kind, provider, account, times }: ActiveFault) {
  return { id, kind, provider, account: account ?? null, times: times ?? null };
}
