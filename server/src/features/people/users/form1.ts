// Users in Form 1: `reference_id`, a `data` envelope, pages by number. Pure.

import { dialect } from '../../../platform/http/route.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { User } from '../../tenancy/user-core/index.ts';
import type { ListUsersInput, UserPage } from './list-users.ts';
import { parseCreate, parseUpdate } from './parse-body.ts';
import { presentUserDetail, presentUserFields } from './present-user.ts';
import { createForm1, deletion, detailForm1, listForm1, updateBody, userForm1 } from './schemas.ts';
import type { UserDetail } from './user-detail.ts';

const detailEnvelope = Type.Object({ data: detailForm1 }, { title: 'UserDetailEnvelopeForm1' });

export const create = dialect({
  body: createForm1,
  replies: { 201: Type.Object({ data: userForm1 }, { title: 'UserEnvelopeForm1' }) },
  parse: ({ body }) => parseCreate(body),
  present: (user: User) => ({ status: 201, body: { data: presentUser(user) } }),
});

export const list = dialect({
  query: listForm1,
  replies: {
    200: Type.Object(
      {
        data: Type.Array(userForm1),
        meta: Type.Object(
          { page: Type.Integer(), per_page: Type.Integer(), total: Type.Integer() },
          { title: 'PageMeta' },
        ),
      },
      { title: 'UserListForm1' },
    ),
  },
  parse: ({ query }): ListUsersInput => ({
    by: 'page',
    referenceId: query.reference_id ?? null,
    page: query.page,
    perPage: query.per_page,
  }),
  present: (page: UserPage) => ({
    status: 200,
    body: { data: page.users.map(presentUser), meta: { page: page.page, per_page: page.perPage, total: page.total } },
  }),
});

export const get = dialect({
  params: ['user_id'],
  replies: { 200: detailEnvelope },
  parse: ({ params }) => ({ id: params.user_id }),
  present: (detail: UserDetail) => ({ status: 200, body: { data: presentDetail(detail) } }),
});

export const update = dialect({
  params: ['user_id'],
  body: updateBody,
  replies: { 200: detailEnvelope },
  parse: ({ params, body }) => parseUpdate(params.user_id, body),
  present: (detail: UserDetail) => ({ status: 200, body: { data: presentDetail(detail) } }),
});

export const remove = dialect({
  params: ['user_id'],
  replies: { 202: Type.Object({ data: deletion }, { title: 'UserDeletionEnvelopeForm1' }) },
  parse: ({ params }) => ({ id: params.user_id }),
  present: ({ id }: { id: string }) => ({ status: 202, body: { data: { id, status: 'deleting' } } }),
});

function presentUser(user: User) {
  return { id: user.id, reference_id: user.referenceId, ...presentUserFields(user) };
}

function presentDetail(detail: UserDetail) {
  return { id: detail.user.id, reference_id: detail.user.referenceId, ...presentUserDetail(detail) };
}
