// All SQL of roster_people: one row per mail address, shared by all accounts.
import type { PersonId } from '../../../domain/roster.ts';
import type { AccountId, UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';

const CLAIM_PERSON = statement(
  'claim_roster_person',
  `insert into roster_people (id, address, created_at) values ($1, $2, $3)
   on conflict (address) do update set address = excluded.address returning id`,
);

/** Finds or creates the person and locks the row until the transaction ends, so that inviting and accepting run one at a time. */
export async function claimPerson(tx: Transaction, address: string, now: Date): Promise<PersonId> {
  const [row] = await tx.query<{ id: PersonId }>(CLAIM_PERSON, [newId(), address, now]);
  if (!row) throw new Error('the person of this address was not returned');
  return row.id;
}

export type RosterPerson = {
  readonly id: PersonId;
  /** Normalized. */
  readonly address: string;
  /** The current version of links to the privacy portal; links of other versions are invalid. */
  readonly linkVersion: number;
  /** When links were requested, newest first. */
  readonly linkRequests: readonly Date[];
  /** Of mails. Null: English. */
  readonly language: string | null;
};

const PERSON_COLUMNS = 'id, address, link_version as "linkVersion", link_requests as "linkRequests", language';

/** Locked until the transaction ends. Null: erased. */
export function lockPerson(tx: Transaction, id: PersonId): Promise<RosterPerson | null> {
  return findOnePerson(tx, 'id = $1 for update', id);
}

export function readPerson(db: Queryable, id: PersonId): Promise<RosterPerson | null> {
  return findOnePerson(db, 'id = $1', id);
}

/** `address` is normalized. */
export function findPerson(db: Queryable, address: string): Promise<RosterPerson | null> {
  return findOnePerson(db, 'address = $1', address);
}

async function findOnePerson(db: Queryable, condition: string, value: string): Promise<RosterPerson | null> {
  const [row] = await db.query<RosterPerson>(`select ${PERSON_COLUMNS} from roster_people where ${condition}`, [value]);
  return row ?? null;
}

/** Invalidates all existing links of the person. Null: another call raised the version first, or the person was erased. */
export async function raiseLinkVersion(
  tx: Transaction,
  { id, linkVersion }: RosterPerson,
): Promise<RosterPerson | null> {
  const [row] = await tx.query<RosterPerson>(
    `update roster_people set link_version = link_version + 1 where id = $1 and link_version = $2 returning ${PERSON_COLUMNS}`,
    [id, linkVersion],
  );
  return row ?? null;
}

export async function saveLinkRequests(tx: Transaction, id: PersonId, requests: readonly Date[]): Promise<void> {
  await tx.query('update roster_people set link_requests = $2 where id = $1', [id, requests]);
}

/** The language of later mails. */
export async function saveLanguage(db: Queryable, id: PersonId, language: string): Promise<void> {
  await db.query('update roster_people set language = $2 where id = $1 and language is distinct from $2', [
    id,
    language,
  ]);
}

/** The address as an organization last wrote it, because mail servers may treat the local part as case-sensitive. */
export async function readWrittenAddress(db: Queryable, { id, address }: RosterPerson): Promise<string> {
  const [row] = await db.query<{ email: string }>(
    'select email from roster_invitations where person_id = $1 order by created_at desc limit 1',
    [id],
  );
  return row?.email ?? address;
}

/** Locks persons before their other rows (the same order as inviting), so that concurrent changes are waited for and then seen. */
export async function lockPeople(
  tx: Transaction,
  which: string,
  value: AccountId | UserId | Date,
): Promise<PersonId[]> {
  const rows = await tx.query<{ id: PersonId }>(
    `select id from roster_people where id in (${which}) order by id for update`,
    [value],
  );
  return rows.map(({ id }) => id);
}

/**
 * Removes persons without members and invitations, and returns their ids. The caller locked them in an earlier statement,
 * so that this one sees invitations that were committed in between.
 */
export async function removeForgotten(tx: Transaction, ids: readonly PersonId[]): Promise<PersonId[]> {
  const rows = await tx.query<{ id: PersonId }>(
    `delete from roster_people p where p.id = any($1::uuid[])
        and not exists (select from roster_members m where m.person_id = p.id)
        and not exists (select from roster_invitations i where i.person_id = p.id) returning p.id`,
    [ids],
  );
  return rows.map(({ id }) => id);
}
