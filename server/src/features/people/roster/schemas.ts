// Wire schemas of the team roster. Both API forms use the same bodies.

import { INVITATION_STATUSES, MEMBER_STATUSES } from '../../../domain/roster.ts';
import { MAX_REFERENCE_LENGTH } from '../../../domain/tenancy.ts';
import { LANGUAGES } from '../../../domain/texts/index.ts';
import { cursorPageReply } from '../../../platform/http/cursor-page.ts';
import {
  matching,
  nullable,
  oneOfWords,
  requestObject,
  timestamp,
  uuid,
  withDefault,
} from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';

const MAX_EMAIL = 254; // RFC 5321: a path has at most 256 characters, including two angle brackets
const MAX_NAME = 200;
const MAX_MESSAGE = 2_000;
/** No quoted local parts and no IP address as domain: mail programs interpret them differently, and they are not used in practice. */
const PLAIN_ADDRESS = matching(
  '^[^"\\s]{1,64}@[^\\[]+$',
  'must be an email address with at most 64 characters before the @, no quotes, and a domain name',
);
const ONE_LINE = matching(
  '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$',
  'must be one line of text without control characters, and not only spaces',
);
const PLAIN_TEXT = matching(
  '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]+$',
  'must not contain control characters except line breaks and tabs',
);

export const invitationBody = requestObject({
  email: Type.String({
    format: 'email',
    ...PLAIN_ADDRESS,
    maxLength: MAX_EMAIL,
    description: 'compared case-insensitively',
  }),
  name: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: MAX_NAME, ...ONE_LINE }))),
  external_ref: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: MAX_REFERENCE_LENGTH,
        description: 'your own id for the person: of an existing user, or for the user that is created on acceptance',
      }),
    ),
  ),
  message: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: MAX_MESSAGE,
        ...PLAIN_TEXT,
        description: 'shown in the mail and on the invitation page',
      }),
    ),
  ),
  language: Type.Optional(
    oneOfWords(LANGUAGES, { description: 'Mail language; default: unchanged, initially English' }),
  ),
});

export const memberPatch = requestObject({
  status: oneOfWords(MEMBER_STATUSES, { title: 'MemberStatus' }),
});

export const membersQuery = requestObject({
  status: withDefault(oneOfWords(MEMBER_STATUSES, { title: 'MemberStatus' }), 'active'),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: 100 }), 50),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'next_cursor of the previous page, unchanged' }),
  ),
});

export const invitationReply = Type.Object(
  {
    id: uuid('invitation'),
    email: Type.String(),
    name: nullable(Type.String()),
    external_ref: nullable(Type.String()),
    status: oneOfWords(INVITATION_STATUSES, { title: 'InvitationStatus' }),
    created_at: timestamp(),
    expires_at: timestamp(),
    member_id: nullable(uuid('member, once accepted')),
  },
  { title: 'Invitation' },
);

export const memberReply = Type.Object(
  {
    id: uuid('member'),
    user_id: uuid('user'),
    name: nullable(Type.String()),
    email: Type.String(),
    external_ref: Type.String({ description: "the user's reference" }),
    status: oneOfWords(MEMBER_STATUSES, { title: 'MemberStatus' }),
    joined_at: timestamp(),
  },
  { title: 'Member' },
);

export const memberListReply = cursorPageReply(memberReply, { title: 'MemberList' });
