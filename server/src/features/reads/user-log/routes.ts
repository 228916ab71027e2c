// The log of a user, for the dashboard.
import type { CsvCell } from '../../../platform/csv.ts';
import { AppError } from '../../../platform/errors.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { requestObject, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { LOG_KINDS, type LogKind } from './merge-log.ts';
import { presentUserLog, userLogReply } from './present-user-log.ts';
import { readUserLog, type UserLogPage } from './read-user-log.ts';

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;

export const userLogRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/users/:user_id/log',
    operationId: 'listUserLog',
    tag: 'Users',
    summary:
      'List the log of a user, newest first: events, uploads, sync runs, deliveries, changes, and members who viewed the data',
    access: { to: 'member', role: 'viewer' },
    healthDataOf: 'path_user',
    cost: 'large_read',
    query: requestObject({
      kinds: Type.Optional(
        Type.String({ description: `comma-separated: ${LOG_KINDS.join(', ')}; default: all`, maxLength: 100 }),
      ),
      cursor: Type.Optional(Type.String()),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE }), PAGE_SIZE),
    }),
    replies: { 200: userLogReply },
    parse: ({ params, query }) => ({
      userId: params.user_id,
      kinds: parseKinds(query.kinds),
      cursor: query.cursor ?? null,
      limit: query.limit,
    }),
    present: (page: UserLogPage) => ({ status: 200, body: presentUserLog(page) }),
    csv: (page) => [['at', 'kind', 'id', 'device_id', 'details'], ...listRows(page)],
    errors: ['not_found', 'invalid_cursor', 'invalid_parameter'],
    handle: readUserLog,
  }),
];

/** In the order of LOG_KINDS, so that a cursor does not depend on the order of the query. */
function parseKinds(text: string | undefined): LogKind[] {
  if (text === undefined) return [...LOG_KINDS];
  const wanted = text.split(',');
  const unknown = wanted.filter((kind) => !LOG_KINDS.some((known) => known === kind));
  if (unknown.length > 0) {
    const message = `must be a list of: ${LOG_KINDS.join(', ')}`;
    throw new AppError('invalid_parameter', { details: { issues: [{ path: 'kinds', message }] } });
  }
  return LOG_KINDS.filter((kind) => wanted.includes(kind));
}

function listRows(page: UserLogPage): CsvCell[][] {
  return presentUserLog(page).data.map(({ kind, at, id, device_id, ...rest }) => [
    at,
    kind,
    id,
    device_id,
    JSON.stringify(Object.values(rest)[0]),
  ]);
}
