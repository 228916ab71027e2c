// The sync log of a device, for the dashboard.
import { cursorPageReply, presentCursorPage } from '../../../platform/http/cursor-page.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { requestObject, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { presentSyncLog, syncLogEntry } from './present-log.ts';
import { readSyncLog } from './read-log.ts';

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 200;

export const syncMemberRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/:environment/users/:user_id/devices/:device_id/log',
    operationId: 'listDeviceSyncs',
    tag: 'Users',
    summary: 'List the sync runs of a device that stored something or failed, newest first',
    description: 'Kept for 30 days, at most 500 per device. Runs in a row that found nothing new are one entry.',
    access: { to: 'member', role: 'viewer' },
    healthDataOf: 'path_user',
    query: requestObject({
      cursor: Type.Optional(Type.String()),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE }), PAGE_SIZE),
    }),
    replies: { 200: cursorPageReply(syncLogEntry) },
    parse: ({ params, query }) => ({
      userId: params.user_id,
      deviceId: params.device_id,
      cursor: query.cursor ?? null,
      limit: query.limit,
    }),
    present: presentCursorPage(presentSyncLog),
    csv: ({ items }) => [
      ['at', 'kind', 'outcome', 'cause', 'http_status', 'records', 'refused', 'from', 'to', 'ms', 'runs'],
      ...items
        .map(presentSyncLog)
        .map((one) => [
          one.at,
          one.kind,
          one.outcome,
          one.cause,
          one.http_status,
          one.records,
          one.refused,
          one.days.from,
          one.days.to,
          one.ms,
          one.runs,
        ]),
    ],
    errors: ['not_found', 'invalid_cursor'],
    handle: readSyncLog,
  }),
];
