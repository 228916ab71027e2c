// The five user endpoints.
import { type Route, twoFormRoute } from '../../../platform/http/route.ts';
import { createUser } from './create-user.ts';
import { deleteUser } from './delete-user.ts';
import * as form1 from './form1.ts';
import * as form2 from './form2.ts';
import { getUser } from './get-user.ts';
import { listUsers } from './list-users.ts';
import { updateUser } from './update-user.ts';

const tag = 'Users';

export const userRoutes: readonly Route[] = [
  twoFormRoute({
    method: 'POST',
    path: '/v1/users',
    operationId: 'createUser',
    tag,
    summary: 'Create a user',
    description:
      'Send your own id for the user as `reference_id` (Form 1) or `external_ref` (Form 2); it must be unique in the environment. Days are computed in the time zone of the user, UTC if you omit it. A sandbox key creates a user with a week of data unless you send `seed: false`.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'nobody',
    dialects: { 1: form1.create, 2: form2.create },
    cost: ({ caller }) => (caller.tenant.environment === 'sandbox' ? 'computation' : 'cheap'), // generates weeks of data
    errors: ['reference_taken'],
    handle: createUser,
  }),
  twoFormRoute({
    method: 'GET',
    path: '/v1/users',
    operationId: 'listUsers',
    tag,
    summary: 'List users, newest first',
    description:
      'Form 1 pages by number (`page`, `per_page`), Form 2 by cursor (`limit`, `cursor`). Filter by your own id with `reference_id` or `external_ref`.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: ({ users }) => users.map(({ id }) => id),
    dialects: { 1: form1.list, 2: form2.list },
    cost: 'large_read',
    errors: ['invalid_cursor'],
    handle: listUsers,
  }),
  twoFormRoute({
    method: 'GET',
    path: '/v1/users/:user_id',
    operationId: 'getUser',
    tag,
    summary: 'Read a user with profile, devices and sync status',
    description:
      '`score_status` is `calibrating` until there is enough data for scores. `last_sync_at` is when data last arrived.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'path_user',
    dialects: { 1: form1.get, 2: form2.get },
    errors: ['not_found'],
    handle: getUser,
  }),
  twoFormRoute({
    method: 'PATCH',
    path: '/v1/users/:user_id',
    operationId: 'updateUser',
    tag,
    summary: 'Update a user; fields that are not supplied stay unchanged',
    description: 'A changed time zone moves every value to its new local day; a background job recomputes the history.',
    access: { to: 'api_key', billing: 'checked' },
    healthDataOf: 'path_user',
    dialects: { 1: form1.update, 2: form2.update },
    errors: ['not_found', 'reference_taken'],
    handle: updateUser,
  }),
  twoFormRoute({
    method: 'DELETE',
    path: '/v1/users/:user_id',
    operationId: 'deleteUser',
    tag,
    summary: 'Delete a user and all of its data permanently',
    description:
      'Once this call returns, the user can no longer be read, its tokens are invalid, its reference can be reused, and the only further webhook is `user.deleted`. A background job erases the data.',
    access: { to: 'api_key', billing: 'exempt' },
    healthDataOf: 'nobody',
    dialects: { 1: form1.remove, 2: form2.remove },
    errors: ['not_found'],
    handle: deleteUser,
  }),
];
