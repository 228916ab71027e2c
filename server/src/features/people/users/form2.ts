// Users in Form 2: `external_ref`, bare resources, pages by cursor. Pure.

import { cursorPageReply } from '../../../platform/http/cursor-page.ts';
import { dialect } from '../../../platform/http/route.ts';
import type { User } from '../../tenancy/user-core/index.ts';
import type { ListUsersInput, UserPage } from './list-users.ts';
import { parseCreate, parseUpdate } from './parse-body.ts';
import { presentUserDetail, presentUserFields } from './present-user.ts';
import { createForm2, deletion, detailForm2, listForm2, updateBody, userForm2 } from './schemas.ts';
import type { UserDetail } from './user-detail.ts';

export const create = dialect({
  body: createForm2,
  replies: { 201: userForm2 },
  parse: ({ body }) => parseCreate(body),
  present: (user: User) => ({ status: 201, body: presentUser(user) }),
});

export const list = dialect({
  query: listForm2,
  replies: {
    200: cursorPageReply(userForm2, { title: 'UserListForm2' }),
  },
  parse: ({ query }): ListUsersInput => ({
    by: 'cursor',
    referenceId: query.external_ref ?? null,
    cursor: query.cursor ?? null,
    limit: query.limit,
  }),
  present: (page: UserPage) => ({
    status: 200,
    body: { data: page.users.map(presentUser), next_cursor: page.nextCursor },
  }),
});

export const get = dialect({
  params: ['user_id'],
  replies: { 200: detailForm2 },
  parse: ({ params }) => ({ id: params.user_id }),
  present: (detail: UserDetail) => ({ status: 200, body: presentDetail(detail) }),
});

export const update = dialect({
  params: ['user_id'],
  body: updateBody,
  replies: { 200: detailForm2 },
  parse: ({ params, body }) => parseUpdate(params.user_id, body),
  present: (detail: UserDetail) => ({ status: 200, body: presentDetail(detail) }),
});

export const remove = dialect({
  params: ['user_id'],
  replies: { 202: deletion },
  parse: ({ params }) => ({ id: params.user_id }),
  present: ({ id }: { id: string }) => ({ status: 202, body: { id, status: 'deleting' } }),
});

function presentUser(user: User) {
  return { id: user.id, external_ref: user.referenceId, ...presentUserFields(user) };
}

function presentDetail(detail: UserDetail) {
  return { id: detail.user.id, external_ref: detail.user.referenceId, ...presentUserDetail(detail) };
}
