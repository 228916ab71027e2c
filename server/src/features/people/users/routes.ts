// The five user endpoints.
import { type Route, route } from '../../../platform/http/route.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import * as form1 from './form1.ts';
import * as form2 from './form2.ts';
import { getUser } from './get-user.ts';
import { listUsers } from './list-users.ts';
import { updateUser } from './update-user.ts';

const tag = 'Users';

export const userRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/users',
    operationId: 'createUser',
    tag,
    summary: 'Create a user',
    access: { to: 'api_key', billing: 'checked' },
    dialects: { 1: form1.create, 2: form2.create },
    cost: ({ caller }) => (caller.tenant.environment === 'sandbox' ? 'computation' : 'cheap'), // its weeks are made
    errors: ['reference_taken'],
    handle: createUser,
  }),
  route({
    method: 'GET',
    path: '/v1/users',
    operationId: 'listUsers',
    tag,
    summary: 'List users, newest first',
    access: { to: 'api_key', billing: 'checked' },
    dialects: { 1: form1.list, 2: form2.list },
    cost: 'large_read',
    errors: ['invalid_cursor'],
    handle: listUsers,
  }),
  route({
    method: 'GET',
    path: '/v1/users/:user_id',
    operationId: 'getUser',
    tag,
    summary: 'Read a user with profile, devices and sync status',
    access: { to: 'api_key', billing: 'checked' },
    dialects: { 1: form1.get, 2: form2.get },
    errors: ['not_found'],
    handle: getUser,
  }),
  route({
    method: 'PATCH',
    path: '/v1/users/:user_id',
    operationId: 'updateUser',
    tag,
    summary: 'Change a user; only what is supplied changes',
    access: { to: 'api_key', billing: 'checked' },
    dialects: { 1: form1.update, 2: form2.update },
    errors: ['not_found', 'reference_taken'],
    handle: updateUser,
  }),
  route({
    method: 'DELETE',
    path: '/v1/users/:user_id',
    operationId: 'deleteUser',
    tag,
    summary: 'Delete a user and all data of the person, for good',
    description:
      'From the answer on the user is found by no call, its tokens fail, its reference is free, and webhooks are told of nothing but its deletion; the data is erased by a job.',
    access: { to: 'api_key', billing: 'exempt' },
    dialects: { 1: form1.remove, 2: form2.remove },
    errors: ['not_found'],
    handle: deleteUser,
  }),
];
