// The import page of the dashboard: a file is uploaded in parts and imported in the background.
import { type Route, route } from '../../../../platform/http/route.ts';
import { nullable, requestObject } from '../../../../platform/http/schema.ts';
import { Type } from '../../../../platform/json-schema.ts';
import { addPart, beginImport, cancelImport, MAX_FILE_BYTES, readImport } from './manage-imports.ts';
import { type MemberImport, memberImportReply } from './member-import.ts';

const tag = 'Users';
const viewer = { to: 'member', role: 'viewer' } as const;
const developer = { to: 'member', role: 'developer' } as const;
const path = '/dashboard/api/:environment/users/:user_id/imports';
const presentImport = (state: MemberImport) => ({ status: 200 as const, body: state });

export const importMemberRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path,
    operationId: 'readFileImport',
    tag,
    summary: 'Read the running import of a user, or the last one within a day',
    access: viewer,
    healthDataOf: 'path_user',
    replies: {
      200: Type.Object({
        current: nullable(memberImportReply),
        is_busy_elsewhere: Type.Boolean({ description: 'the account imports a file for another user' }),
      }),
    },
    present: ({ current, isBusyElsewhere }: Awaited<ReturnType<typeof readImport>>) => ({
      status: 200,
      body: { current, is_busy_elsewhere: isBusyElsewhere },
    }),
    errors: ['not_found'],
    handle: (context, { params }) => readImport(context, params.user_id),
  }),
  route({
    method: 'POST',
    path,
    operationId: 'beginFileImport',
    tag,
    summary: 'Begin the import of a file for a user; an account imports one file at a time',
    access: developer,
    healthDataOf: 'nobody',
    body: requestObject({
      file_name: Type.String({ minLength: 1, maxLength: 255 }),
      size_bytes: Type.Integer({ minimum: 1, maximum: MAX_FILE_BYTES }),
      timezone: Type.Optional(Type.String({ maxLength: 64, description: 'of times without an offset' })),
      mapping: Type.Optional(
        Type.Object({}, { additionalProperties: true, description: 'the columns of a CSV file (docs/imports.md)' }),
      ),
    }),
    replies: { 200: memberImportReply },
    present: presentImport,
    errors: ['not_found', 'invalid_parameter', 'import_in_progress', 'storage_full'],
    handle: (context, { params, body }) => beginImport(context, params.user_id, body),
  }),
  route({
    method: 'PUT',
    path: `${path}/:import_id/parts/:offset`,
    operationId: 'addFileImportPart',
    tag,
    summary: 'Add the next bytes of the file; the import starts with the last ones',
    access: developer,
    healthDataOf: 'nobody',
    bodyKind: 'bytes',
    replies: { 200: memberImportReply },
    parse: ({ params, body }) => ({
      userId: params.user_id,
      importId: params.import_id,
      offset: Number(params.offset),
      bytes: body ?? Buffer.alloc(0),
    }),
    present: presentImport,
    errors: ['not_found', 'invalid_parameter', 'storage_full'],
    handle: addPart,
  }),
  route({
    method: 'DELETE',
    path: `${path}/:import_id`,
    operationId: 'cancelFileImport',
    tag,
    summary: 'Cancel an import; records that are stored stay',
    access: developer,
    healthDataOf: 'nobody',
    replies: { 200: memberImportReply },
    present: presentImport,
    errors: ['not_found'],
    handle: (context, { params }) => cancelImport(context, params.user_id, params.import_id),
  }),
];
