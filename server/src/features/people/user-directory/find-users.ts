// Finds users by what people know of them: the beginning of a reference, an id, a mail address or a word of the metadata.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import {
  findUsersByIdPrefix,
  findUsersByMetadata,
  findUsersByReference,
  type User,
} from '../../tenancy/user-core/index.ts';
import { findMembersByEmail } from '../memberships/index.ts';

/** Shorter prefixes of an id would match most users, because ids begin with the time of creation. */
const MIN_ID_DIGITS = 8;
const MAX_ID_DIGITS = 32;

type FoundUsers = {
  /** Matches of the reference first, then of the id, the mail address and the metadata. */
  readonly ids: readonly UserId[];
  /** Of users that were found by their mail address. */
  readonly emails: ReadonlyMap<UserId, string>;
};

export async function findUsers(db: Queryable, tenant: Tenant, text: string, limit: number): Promise<FoundUsers> {
  const digits = readIdDigits(text);
  const [byReference, byId, members, byMetadata] = await Promise.all([
    findUsersByReference(db, tenant, text, limit),
    digits === null ? [] : findUsersByIdPrefix(db, tenant, digits, limit),
    tenant.environment === 'live' ? findMembersByEmail(db, tenant.accountId, text, limit) : [],
    findUsersByMetadata(db, tenant, text, limit),
  ]);
  const ids = new Set([...byReference, ...byId, ...members.map(({ userId }) => userId), ...byMetadata]);
  return {
    ids: [...ids].slice(0, limit),
    emails: new Map(members.map(({ userId, email }) => [userId, email])),
  };
}

/** The hexadecimal digits of an id that the text begins. Null: it begins no id. */
function readIdDigits(text: string): string | null {
  if (!/^[0-9a-f-]+$/i.test(text)) return null;
  const digits = text.replaceAll('-', '').toLowerCase();
  return digits.length >= MIN_ID_DIGITS && digits.length <= MAX_ID_DIGITS ? digits : null;
}

/** The same match in memory, for users that a filter has found. */
export function matchesText({ id, referenceId, metadata }: User, text: string): boolean {
  const wanted = text.toLowerCase();
  const digits = readIdDigits(text);
  const words = Object.values(metadata).flatMap((value) => [value, ...value.split(/[\s_/-]+/)]);
  return (
    referenceId.toLowerCase().startsWith(wanted) ||
    (digits !== null && id.replaceAll('-', '').startsWith(digits)) ||
    words.some((word) => word.toLowerCase().startsWith(wanted))
  );
}
