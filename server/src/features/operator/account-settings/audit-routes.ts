// The dashboard's list of administrative actions.
import { ENVIRONMENTS } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import {
  type CursorPage,
  cursorPageReply,
  presentCursorPage,
  readCursorPage,
} from '../../../platform/http/cursor-page.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { listAudit, type StoredAuditEntry } from '../../tenancy/accounts/index.ts';

const PAGE = 50;
const text = () => Type.Optional(Type.String({ minLength: 1, maxLength: 100 }));
const auditReply = Type.Object({
  id: uuid('entry'),
  at: timestamp(),
  environment: nullable(oneOfWords(ENVIRONMENTS)),
  actor: Type.Object({ kind: Type.String(), id: nullable(Type.String()), name: nullable(Type.String()) }),
  action: Type.String(),
  subject: Type.String(),
  user_id: nullable(Type.String()),
  details: Type.Object({}, { additionalProperties: true }),
  via: Type.String(),
  request_id: nullable(Type.String()),
});

function presentEntry(entry: StoredAuditEntry) {
  const { id, environment, action, subject, details, via } = entry;
  const actor = { kind: entry.actor, id: entry.actorId, name: entry.actorName };
  const at = formatInstant(entry.at);
  return {
    id,
    at,
    environment,
    actor,
    action,
    subject,
    user_id: entry.userId,
    details,
    via,
    request_id: entry.requestId,
  };
}

export const auditRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/dashboard/api/audit',
    operationId: 'listAudit',
    tag: 'Account',
    summary: 'List administrative actions, newest first',
    access: { to: 'member', role: 'viewer' },
    healthDataOf: 'nobody',
    cost: 'large_read',
    query: requestObject({
      actor: text(),
      action: text(),
      subject: text(),
      user_id: Type.Optional(Type.String({ format: 'uuid' })),
      from: Type.Optional(Type.String({ format: 'date-time' })),
      to: Type.Optional(Type.String({ format: 'date-time' })),
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    }),
    replies: { 200: cursorPageReply(auditReply) },
    parse: ({ query }) => ({
      filter: {
        actor: query.actor ?? null,
        action: query.action ?? null,
        subject: query.subject ?? null,
        userId: query.user_id ?? null,
        from: query.from === undefined ? null : new Date(query.from),
        to: query.to === undefined ? null : new Date(query.to),
      },
      cursor: query.cursor ?? null,
    }),
    present: presentCursorPage(presentEntry),
    csv: ({ items }: CursorPage<StoredAuditEntry>) => [
      ['at', 'actor', 'name', 'via', 'action', 'subject', 'environment', 'request_id', 'details'],
      ...items.map((entry) => [
        formatInstant(entry.at),
        entry.actor,
        entry.actorName,
        entry.via,
        entry.action,
        entry.subject,
        entry.environment,
        entry.requestId,
        JSON.stringify(entry.details),
      ]),
    ],
    errors: ['invalid_cursor'],
    handle: ({ services, caller: { tenant } }, { filter, cursor }) =>
      readCursorPage(
        services.cursors,
        { scope: `audit:${tenant.accountId}:${JSON.stringify(filter)}`, cursor, limit: PAGE },
        (position, limit) => {
          const before = position && (position[0] as string);
          return listAudit(services.db, tenant.accountId, filter, { before, limit });
        },
        ({ id }) => [id],
      ),
  }),
];
