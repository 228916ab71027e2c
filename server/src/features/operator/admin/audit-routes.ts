// The operator's endpoint that verifies the audit trail.
import { AppError } from '../../../platform/errors.ts';
import { type Route, route } from '../../../platform/http/route.ts';
import { nullable, requestObject, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  type Link,
  PART_ENTRIES,
  parseLink,
  presentVerification,
  type Verification,
  verificationReply,
} from '../../tenancy/audit-trail/index.ts';

const LINK = Type.String({ maxLength: 100, description: 'POSITION:HASH of an entry' });

export const auditTrailRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/audit/verify',
    operationId: 'adminVerifyAudit',
    tag: 'Operator',
    summary: 'Verify a part of the audit trail and name its first broken entry',
    description:
      'Verifies up to `limit` entries after the entry `after`, or from the beginning. Repeat it with `head` as `after` while `has_more` is true.',
    access: { to: 'operator' },
    healthDataOf: 'nobody',
    body: requestObject({
      expected: nullable(LINK),
      after: Type.Optional(nullable(LINK)),
      limit: withDefault(Type.Integer({ minimum: 1, maximum: PART_ENTRIES }), PART_ENTRIES),
    }),
    replies: { 200: verificationReply },
    parse: ({ body }) => ({
      expected: readLink('expected', body.expected),
      after: readLink('after', body.after ?? null),
      limit: body.limit,
    }),
    present: (found: Verification) => ({ status: 200, body: presentVerification(found) }),
    handle: ({ services }, part) => services.auditTrail.verify(part),
  }),
];

function readLink(path: string, text: string | null): Link | null {
  const link = text === null ? null : parseLink(text);
  if (text === null || link !== null) return link;
  throw new AppError('invalid_body', { details: { issues: [{ path, message: 'must be POSITION:HASH' }] } });
}
