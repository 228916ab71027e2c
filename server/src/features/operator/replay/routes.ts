// The operator's endpoints of replays.

import { ENVIRONMENTS } from '../../../domain/tenancy.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, uuid } from '../../../platform/http/schema.ts';
import type { OpenJobs } from '../../../platform/jobs/job-queue.ts';
import { Type } from '../../../platform/json-schema.ts';
import { operatorActor } from '../../tenancy/accounts/index.ts';
import { type QueuedReplays, type ReplayRequest, readReplays, startReplay } from './start-replay.ts';

const tag = 'Operator';
const access = { to: 'operator' } as const;

export const replayRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/replays',
    operationId: 'adminStartReplay',
    tag,
    summary: 'Replay stored raw payloads through the current mapping; repeat with next until it is null',
    access,
    healthDataOf: 'nobody',
    body: requestObject({
      user_id: Type.Optional(Type.String()),
      account: Type.Optional(Type.String()),
      environment: Type.Optional(oneOfWords(ENVIRONMENTS)),
      all: Type.Optional(Type.Boolean()),
      after: Type.Optional(nullable(Type.String({ description: 'next of the previous response' }))),
    }),
    replies: {
      202: Type.Object({
        users: Type.Integer({ description: 'number of users whose replay was queued' }),
        next: nullable(uuid('last queued user; null if all are queued')),
      }),
    },
    parse: ({ body: { user_id: userId, account, environment, all, after } }): ReplayRequest => ({
      ...(userId === undefined ? {} : { userId }),
      ...(account === undefined ? {} : { account }),
      ...(environment === undefined ? {} : { environment }),
      isAll: all ?? false,
      after: after ?? null,
    }),
    present: ({ users, next }: QueuedReplays) => ({ status: 202, body: { users, next } }),
    errors: ['not_found'],
    handle: (context, request) => startReplay(context.services, request, operatorActor(context)),
  }),
  route({
    method: 'GET',
    path: '/admin/replays',
    operationId: 'adminReadReplays',
    tag,
    summary: 'Read how many replays are open and how many failed',
    access,
    healthDataOf: 'nobody',
    replies: { 200: Type.Object({ open: Type.Integer(), given_up: Type.Integer() }) },
    present: ({ open, givenUp }: OpenJobs) => ({ status: 200, body: { open, given_up: givenUp } }),
    handle: ({ services }) => readReplays(services),
  }),
];
