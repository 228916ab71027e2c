// The operator's endpoint of the roster.
import { type Route, route } from '../../../platform/http/route.ts';
import { oneOfWords, requestObject } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { operatorActor } from '../../tenancy/accounts/index.ts';
import { type RotatedLink, rotatePortalLink } from './portal-links.ts';

const MAX_ADDRESS_CHARACTERS = 320; // longer than any address that a mail server accepts

export const rosterOperatorRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/admin/roster/rotate-link',
    operationId: 'adminRotatePortalLink',
    tag: 'Operator',
    summary: "Revoke all privacy-portal links of a person and send a new one to the person's address",
    access: { to: 'operator' },
    healthDataOf: 'nobody',
    body: requestObject({ email: Type.String({ minLength: 3, maxLength: MAX_ADDRESS_CHARACTERS }) }),
    replies: { 200: Type.Object({ email: Type.String(), sent_by: oneOfWords(['mail', 'stdout']) }) },
    present: ({ email, sentBy }: RotatedLink) => ({ status: 200, body: { email, sent_by: sentBy } }),
    errors: ['not_found'],
    handle: (context, { body }) => rotatePortalLink(context.services, body.email, operatorActor(context)),
  }),
];
