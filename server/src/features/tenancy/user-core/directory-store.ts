// SQL of users for people who look for one: pages with a filter, and searches by prefix.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, type Statement, statement } from '../../../platform/db/database.ts';
import {
  ACTIVE_USER,
  HANDLE_COLUMNS,
  type HandleRow,
  toHandle,
  toUser,
  USER_COLUMNS,
  USERS_BY_ID,
  type User,
  type UserRow,
} from './store.ts';
import type { UserHandle } from './user-handle.ts';

export type ListedUser = { readonly user: User; readonly handle: UserHandle };
/** The last user of a page, or the last one that a filter looked at. */
export type UserPosition = { readonly createdAt: Date; readonly id: UserId };
/** `silentSince`: users without new data since then. */
export type UserFilter = 'all' | 'with_settings' | { readonly silentSince: Date };
type UserListing = { readonly users: readonly ListedUser[]; readonly end: UserPosition | null };

/**
 * Users that one request looks at for those without new data. There is no index on the time of the last data, because it would slow
 * down every upload, so a page can be shorter than its limit.
 */
const MAX_LOOKED_AT = 10_000;

const COLUMNS = `${USER_COLUMNS}, ${HANDLE_COLUMNS}`;
const BEFORE = '($3::timestamptz is null or (u.created_at, u.id) < ($3, $4::uuid))';
const NEWEST_FIRST = 'order by u.created_at desc, u.id desc';
const LIST_ALL = statement(
  'list_user_directory',
  `select ${COLUMNS} from users u where ${ACTIVE_USER} and ${BEFORE} ${NEWEST_FIRST} limit $5`,
);
const LIST_WITH_SETTINGS = statement(
  'list_users_with_settings',
  `select ${COLUMNS} from users u where ${ACTIVE_USER} and u.consolidation is not null and ${BEFORE} ${NEWEST_FIRST} limit $5`,
);
const LIST_SILENT = statement(
  'list_silent_users',
  `select ${COLUMNS} from (select * from users u where ${ACTIVE_USER} and ${BEFORE} ${NEWEST_FIRST} limit ${MAX_LOOKED_AT}) u
    where coalesce(u.last_sync_at, u.created_at) < $6 ${NEWEST_FIRST} limit $5`,
);
const FIND_END = statement(
  'find_end_of_user_look',
  `select u.created_at, u.id from users u where ${ACTIVE_USER} and ${BEFORE} ${NEWEST_FIRST} offset ${MAX_LOOKED_AT - 1} limit 1`,
);

/** Newest first. `end` is null after the last user. */
export async function listUserDirectory(
  db: Queryable,
  tenant: Tenant,
  filter: UserFilter,
  page: { readonly after: UserPosition | null; readonly limit: number },
): Promise<UserListing> {
  const common = [tenant.accountId, tenant.environment, page.after?.createdAt ?? null, page.after?.id ?? null];
  const isSilence = typeof filter === 'object';
  const list = isSilence ? LIST_SILENT : filter === 'all' ? LIST_ALL : LIST_WITH_SETTINGS;
  const rows = await db.query<UserRow & HandleRow>(list, [
    ...common,
    page.limit + 1,
    ...(isSilence ? [filter.silentSince] : []),
  ]);
  const users = rows.slice(0, page.limit).map((row) => toListed(tenant, row));
  const last = users.at(-1)?.user;
  if (rows.length > page.limit && last) return { users, end: { createdAt: last.createdAt, id: last.id } };
  if (!isSilence) return { users, end: null };
  const [end] = await db.query<{ created_at: Date; id: UserId }>(FIND_END, common);
  return { users, end: end ? { createdAt: end.created_at, id: end.id } : null };
}

const COUNT_WITH_SETTINGS = statement(
  'count_users_with_settings',
  `select count(*)::integer as count from
     (select from users u where ${ACTIVE_USER} and u.consolidation is not null limit $3) counted`,
);

/** At most the limit. */
export async function countUsersWithSettings(db: Queryable, tenant: Tenant, limit: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(COUNT_WITH_SETTINGS, [tenant.accountId, tenant.environment, limit]);
  return row?.count ?? 0;
}

const LIST_BY_ID = statement('list_users_by_id', `select ${COLUMNS} from ${USERS_BY_ID} where ${ACTIVE_USER}`);

/** In the order of the ids, without those that the account cannot read. */
export async function listUsersById(db: Queryable, tenant: Tenant, ids: readonly UserId[]): Promise<ListedUser[]> {
  if (ids.length === 0) return [];
  const rows = await db.query<UserRow & HandleRow>(LIST_BY_ID, [tenant.accountId, tenant.environment, ids]);
  const found = new Map(rows.map((row) => [row.id, toListed(tenant, row)]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Bounds instead of LIKE, because a prepared LIKE cannot use an index. `text_pattern_ops` compares bytes. */
const FIND_BY_REFERENCE = statement(
  'find_users_by_reference_prefix',
  `select u.id from users u where ${ACTIVE_USER} and lower(u.reference_id) ~>=~ lower($3::text) and lower(u.reference_id) ~<~ (lower($3::text) || $4::text)
    order by lower(u.reference_id) using ~<~ limit $5`,
);
const FIND_BY_ID = statement(
  'find_users_by_id_prefix',
  `select u.id from (select * from users where id between $3::uuid and $4::uuid order by id limit ${MAX_LOOKED_AT} offset 0) u
    where ${ACTIVE_USER} order by u.id limit $5`,
);
/**
 * The text has to begin a word of the metadata, or each of its words one. The tenant is a word too, so that the index finds only users of
 * the tenant. The cast takes the text as it is (a part of an address); `to_tsquery` splits it as the metadata was split.
 */
const FIND_BY_METADATA = statement(
  'find_users_by_metadata',
  `select u.id from users u
    where to_tsvector('simple', u.metadata) || array_to_tsvector(array[u.account_id::text || u.environment])
            @@ ($3::text::tsquery && ($4::text::tsquery || to_tsquery('simple', $4::text)))
      and ${ACTIVE_USER} limit $5`,
);
/** The largest character: every longer text with the prefix comes before it. */
const LAST_CHARACTER = '\u{10FFFF}';

export async function findUsersByReference(
  db: Queryable,
  tenant: Tenant,
  prefix: string,
  limit: number,
): Promise<UserId[]> {
  return findIds(db, FIND_BY_REFERENCE, tenant, [prefix, LAST_CHARACTER, limit]);
}

/** An id that begins with these hexadecimal digits. */
export async function findUsersByIdPrefix(
  db: Queryable,
  tenant: Tenant,
  digits: string,
  limit: number,
): Promise<UserId[]> {
  return findIds(db, FIND_BY_ID, tenant, [digits.padEnd(32, '0'), digits.padEnd(32, 'f'), limit]);
}

export async function findUsersByMetadata(
  db: Queryable,
  tenant: Tenant,
  text: string,
  limit: number,
): Promise<UserId[]> {
  const [ofTenant, word] = [tenant.accountId + tenant.environment, text.toLowerCase()];
  const match = quoteLexeme(word) + (ofTenant.startsWith(word) ? '' : ':*'); // the word of the tenant is in all of its users
  return findIds(db, FIND_BY_METADATA, tenant, [quoteLexeme(ofTenant), match, limit]);
}

function quoteLexeme(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

async function findIds(db: Queryable, find: Statement, tenant: Tenant, values: readonly unknown[]): Promise<UserId[]> {
  const rows = await db.query<{ id: UserId }>(find, [tenant.accountId, tenant.environment, ...values]);
  return rows.map(({ id }) => id);
}

function toListed(tenant: Tenant, row: UserRow & HandleRow): ListedUser {
  return { user: toUser(row), handle: toHandle(tenant, row) };
}

const LIST_REFERENCES = statement(
  'list_references',
  `select id, reference_id as "referenceId" from users where id = any($1::uuid[]) and status = 'active'`,
);

/** For lists that name users. The caller has read the ids from the account's own rows. */
export async function listReferenceIds(
  db: Queryable,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, string | null>> {
  const rows = await db.query<{ id: UserId; referenceId: string | null }>(LIST_REFERENCES, [userIds]);
  return new Map(rows.map(({ id, referenceId }) => [id, referenceId]));
}
