// The operator's endpoint of the sandbox: runs scenarios that show how the service handles unusual days.

import { type Route, route } from '../../../platform/http/route.ts';
import { oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { operatorActor, requireEnvironment } from '../../tenancy/accounts/index.ts';
import { SCENARIOS, type WrittenStory } from './scenarios.ts';
import { writeScenario } from './write-scenario.ts';

/** For operators, and for members in the dashboard. */
export const scenarioFormat = {
  body: requestObject({ user_id: Type.String(), name: oneOfWords(SCENARIOS) }),
  replies: {
    200: Type.Object({
      did: Type.Array(Type.String()),
      from_date: Type.String(),
      to_date: Type.String(),
      look_at: Type.Array(Type.String({ description: 'an API call that shows the result' })),
    }),
  },
  present: ({ did, from, to, lookAt }: WrittenStory) => ({
    status: 200,
    body: { did: [...did], from_date: from, to_date: to, look_at: [...lookAt] },
  }),
};

export const sandboxRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/sandbox/scenarios',
    operationId: 'adminRunScenario',
    tag: 'Operator',
    summary: "Run a scenario: rewrite a sandbox user's last days through the same pipeline as uploads",
    access: { to: 'operator' },
    healthDataOf: 'nobody',
    ...scenarioFormat,
    errors: ['not_found', 'invalid_body', 'sandbox_disabled'],
    handle: (context, { body: { user_id: userId, name } }) => {
      requireEnvironment(context.services, 'sandbox');
      return writeScenario(context.services, { userId, name }, operatorActor(context));
    },
  }),
];
