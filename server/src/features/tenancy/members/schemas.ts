// Wire schemas and read models of the dashboard's sign-in and members.
import { ENVIRONMENTS, MEMBER_ROLES } from '../../../domain/tenancy.ts';
import { formatInstant, formatNullableInstant } from '../../../domain/time/calendar.ts';
import { matching, nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import type { Invitation } from './link-store.ts';
import type { ListedSession } from './member-session-store.ts';
import type { AccountOfMember, ListedMember } from './member-store.ts';
import type { SessionView } from './sign-in.ts';

const MAX_EMAIL = 254; // RFC 5321
const MAX_CODE = 40;
const MAX_NAME = 100;

export const email = () =>
  Type.String({
    minLength: 3,
    maxLength: MAX_EMAIL,
    ...matching(
      '^[^@\\s\\u0000-\\u001f\\u007f-\\u009f]+@[^@\\s\\u0000-\\u001f\\u007f-\\u009f]+$',
      'must be an email address',
    ),
  });
export const memberName = () =>
  Type.String({
    minLength: 1,
    maxLength: MAX_NAME,
    ...matching(
      '^[^\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f]$',
      'must not contain control characters or end with a space',
    ),
  });
export const code = () =>
  Type.Optional(
    Type.String({ minLength: 1, maxLength: MAX_CODE, description: 'of the authenticator app, or a recovery code' }),
  );
export const linkToken = () => Type.String({ minLength: 1, maxLength: 100, description: 'the fragment of the link' });
export const role = () => oneOfWords(MEMBER_ROLES);

const accountReply = Type.Object({
  id: uuid('account'),
  name: Type.String(),
  role: role(),
  closed_at: nullable(timestamp()),
});

export const sessionReply = Type.Object({
  member: Type.Object({
    id: uuid('member'),
    name: Type.String(),
    email: Type.String(),
    has_totp: Type.Boolean(),
    is_operator: Type.Boolean(),
    recovery_codes_left: Type.Integer(),
  }),
  account: Type.Object({
    id: uuid('account'),
    name: Type.String(),
    display_name: Type.String(),
    closed_at: nullable(timestamp()),
  }),
  accounts: Type.Array(accountReply),
  role: role(),
  environments: Type.Array(oneOfWords(ENVIRONMENTS)),
  confirmed_until: nullable(timestamp()),
  version: Type.String({ description: 'of the service' }),
  command_name: Type.String({ description: 'how to call the command line of this installation' }),
});

/** What of a session does not depend on the member. */
export type Deployment = {
  readonly displayName: string;
  readonly environments: readonly string[];
  readonly version: string;
  readonly commandName: string;
};

export function presentSession(
  { member, account, accounts, confirmedUntil }: SessionView,
  { displayName, environments, version, commandName }: Deployment,
) {
  const { id, name, hasTotp, isOperator, recoveryCodesLeft } = member;
  return {
    member: {
      id,
      name,
      email: member.email,
      has_totp: hasTotp,
      is_operator: isOperator,
      recovery_codes_left: recoveryCodesLeft,
    },
    account: {
      id: account.id,
      name: account.name,
      display_name: displayName,
      closed_at: formatNullableInstant(account.closedAt),
    },
    accounts: accounts.map(presentAccount),
    role: account.role,
    environments,
    confirmed_until: formatNullableInstant(confirmedUntil),
    version,
    command_name: commandName,
  };
}

function presentAccount({ id, name, role, closedAt }: AccountOfMember) {
  return { id, name, role, closed_at: formatNullableInstant(closedAt) };
}

export const listedSessionReply = Type.Object({
  id: uuid('session'),
  is_current: Type.Boolean(),
  created_at: timestamp(),
  last_used_at: timestamp(),
  user_agent: nullable(Type.String()),
  address: nullable(Type.String({ description: 'network address at sign-in' })),
});

export function presentListedSession(session: ListedSession, currentId: string) {
  return {
    id: session.id,
    is_current: session.id === currentId,
    created_at: formatInstant(session.createdAt),
    last_used_at: formatInstant(session.lastUsedAt),
    user_agent: session.userAgent,
    address: session.address,
  };
}

export const memberReply = Type.Object({
  id: uuid('member'),
  name: Type.String(),
  email: Type.String(),
  role: role(),
  has_totp: Type.Boolean(),
  is_operator: Type.Boolean(),
  joined_at: timestamp(),
  last_seen_at: nullable(timestamp()),
});
export const invitationReply = Type.Object({
  id: uuid('invitation'),
  email: Type.String(),
  role: role(),
  created_by: Type.String({ description: 'name of the member who invited' }),
  created_at: timestamp(),
  expires_at: timestamp(),
});

export function presentMember(member: ListedMember) {
  return {
    id: member.id,
    name: member.name,
    email: member.email,
    role: member.role,
    has_totp: member.hasTotp,
    is_operator: member.isOperator,
    joined_at: formatInstant(member.joinedAt),
    last_seen_at: formatNullableInstant(member.lastSeenAt),
  };
}

export function presentInvitation(invitation: Invitation) {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    created_by: invitation.createdBy,
    created_at: formatInstant(invitation.createdAt),
    expires_at: formatInstant(invitation.expiresAt),
  };
}
