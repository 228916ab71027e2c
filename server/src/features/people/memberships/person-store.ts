// All SQL of roster_people: one row for each address, whoever invited it.
import type { PersonId } from '../../../domain/roster.ts';
import type { UserId } from '../../../domain/tenancy.ts';
import { type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';

const CLAIM_PERSON = statement(
  'claim_roster_person',
  `insert into roster_people (id, address, created_at) values ($1, $2, $3)
   on conflict (address) do update set address = excluded.address returning id`,
);

/** The person behind an address, held until the transaction ends: invitations and their acceptance take turns. */
export async function claimPerson(tx: Transaction, address: string, now: Date): Promise<PersonId> {
  const [row] = await tx.query<{ id: PersonId }>(CLAIM_PERSON, [newId(), address, now]);
  if (!row) throw new Error('an address without its person');
  return row.id;
}

export type Person = {
  readonly id: PersonId;
  /** Normalized. */
  readonly address: string;
  /** Of links to the privacy portal: those of another version are no longer valid. */
  readonly linkVersion: number;
  /** When links were asked for by mail, the newest first. */
  readonly linkRequests: readonly Date[];
};

const PERSON_COLUMNS = 'id, address, link_version as "linkVersion", link_requests as "linkRequests"';

/** Held until the transaction ends. Null: erased. */
export function lockPerson(tx: Transaction, id: PersonId): Promise<Person | null> {
  return findOnePerson(tx, 'id = $1 for update', id);
}

export function readPerson(db: Queryable, id: PersonId): Promise<Person | null> {
  return findOnePerson(db, 'id = $1', id);
}

/** By the normalized address. */
export function findPerson(db: Queryable, address: string): Promise<Person | null> {
  return findOnePerson(db, 'address = $1', address);
}

async function findOnePerson(db: Queryable, condition: string, value: string): Promise<Person | null> {
  const [row] = await db.query<Person>(`select ${PERSON_COLUMNS} from roster_people where ${condition}`, [value]);
  return row ?? null;
}

/** All links of the person made so far are no longer valid. Null: somebody else has raised it meanwhile, or erased the person. */
export async function raiseLinkVersion(tx: Transaction, { id, linkVersion }: Person): Promise<Person | null> {
  const [row] = await tx.query<Person>(
    `update roster_people set link_version = link_version + 1 where id = $1 and link_version = $2 returning ${PERSON_COLUMNS}`,
    [id, linkVersion],
  );
  return row ?? null;
}

export async function saveLinkRequests(tx: Transaction, id: PersonId, requests: readonly Date[]): Promise<void> {
  await tx.query('update roster_people set link_requests = $2 where id = $1', [id, requests]);
}

/** As an organization wrote it last: before the @ the case may matter to the mail server. */
export async function readWrittenAddress(db: Queryable, { id, address }: Person): Promise<string> {
  const [row] = await db.query<{ email: string }>(
    'select email from roster_invitations where person_id = $1 order by created_at desc limit 1',
    [id],
  );
  return row?.email ?? address;
}

/** Before anything of theirs, as whoever invites does: what is done to them meanwhile is waited for, and then seen. */
export async function lockPeople(tx: Transaction, which: string, value: UserId | Date): Promise<PersonId[]> {
  const rows = await tx.query<{ id: PersonId }>(
    `select id from roster_people where id in (${which}) order by id for update`,
    [value],
  );
  return rows.map(({ id }) => id);
}

/**
 * The caller has locked them in a statement of its own: only so does this one see what they were invited to meanwhile.
 * Returns the ids of those removed.
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
