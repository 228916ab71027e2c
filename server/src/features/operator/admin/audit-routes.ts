// The operator's endpoint that verifies the audit trail.
import { AppError } from '../../../platform/errors.ts';
import { dialect, type Route, route } from '../../../platform/http/route.ts';
import { nullable, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  parseLink,
  presentVerification,
  type Verification,
  verificationReply,
} from '../../tenancy/audit-trail/index.ts';

export const auditTrailRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/audit/verify',
    operationId: 'adminVerifyAudit',
    tag: 'Operator',
    summary: 'Verify the audit trail and name its first broken entry',
    access: { to: 'operator' },
    dialects: {
      both: dialect({
        body: requestObject({ expected: nullable(Type.String({ maxLength: 100 })) }),
        replies: { 200: verificationReply },
        parse: ({ body }) => (body.expected === null ? null : parseExpected(body.expected)),
        present: (found: Verification) => ({ status: 200, body: presentVerification(found) }),
      }),
    },
    handle: ({ services }, expected) => services.auditTrail.verify(expected),
  }),
];

function parseExpected(text: string) {
  const link = parseLink(text);
  if (link !== null) return link;
  const issues = [{ path: 'expected', message: 'must be POSITION:HASH' }];
  throw new AppError('invalid_body', { details: { issues } });
}
