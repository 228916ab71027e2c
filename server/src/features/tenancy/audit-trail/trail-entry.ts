// The form of an entry, and the keyed hashes that chain entries and name users. Pure.
import { createHmac, randomBytes } from 'node:crypto';

/** Who did or read what; never values. */
export type TrailFacts = {
  readonly account_id: string | null;
  readonly environment: string | null;
  readonly actor: string;
  /** The member, API key or user token. */
  readonly actor_id: string | null;
  readonly via: string;
  readonly request_id: string | null;
  /** `noun.verb`; `health_data.read` for reads. */
  readonly action: string;
  /** The record that was changed, or the resource that was read. */
  readonly subject: string;
  /** Instead of one user: those of a list, or of several reads. */
  readonly users?: readonly string[];
};

export type Link = { readonly position: number; readonly hash: Buffer };
export type TrailEntry = Link & { readonly at: Date; readonly entry: string };
export type MarkKind = 'head' | 'cut';

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const READ_ACTION = 'health_data.read';
export const FIRST_LINK: Link = { position: 0, hash: Buffer.alloc(HASH_BYTES) };

export function newSalt(): Buffer {
  return randomBytes(SALT_BYTES);
}

/**
 * Accounts, members, users and changed records are named by keyed hashes, because entries outlive them. The name of a user, and of
 * records of the user, also depends on the user's salt. Credentials keep their ids. `names` holds the hashes that a batch of
 * entries made, because most of its entries name the same account.
 */
export function writeEntry(
  key: Buffer,
  { users, ...facts }: TrailFacts,
  userId: string | null,
  salts: ReadonlyMap<string, Buffer>,
  names = new Map<string, string>(),
): string {
  const name = (kind: string, id: string, owner: string | null = null) =>
    names.getOrInsertComputed(`${kind} ${id} ${owner ?? ''}`, () => {
      const salt = owner === null ? '' : getSaltOrThrow(salts, owner);
      return `${kind}:${createHmac('sha256', key).update(salt).update(id).digest('base64url')}`;
    });
  const nameUser = (id: string) => name('user', id, id);
  const { account_id: account, actor_id: actor, subject } = facts;
  return JSON.stringify({
    ...facts,
    account_id: account === null ? null : name('account', account),
    actor_id: actor !== null && facts.actor === 'member' ? name('member', actor) : actor,
    subject: UUID.test(subject) ? name('record', subject, userId) : subject,
    user: userId === null ? null : nameUser(userId),
    ...(users && { users: users.map(nameUser).sort() }), // the order of ids would place an erased user between known ones
  });
}

function getSaltOrThrow(salts: ReadonlyMap<string, Buffer>, userId: string): Buffer {
  const salt = salts.get(userId);
  if (salt === undefined) throw new Error('a user in the audit trail has no salt');
  return salt;
}

/** The next entry of the chain. */
export function chainEntry(
  key: Buffer,
  before: Link,
  { at, entry }: { readonly at: Date; readonly entry: string },
): TrailEntry {
  const position = before.position + 1;
  const hash = createHmac('sha256', key)
    .update(before.hash)
    .update(`${position} ${at.toISOString()} `)
    .update(entry)
    .digest();
  return { position, at, entry, hash };
}

export function isSigned(key: Buffer, kind: MarkKind, mark: Link & { readonly signature: Buffer }): boolean {
  return mark.signature.equals(signMark(key, kind, mark));
}

/** Proves that the service set the mark, so that removing entries at either end is found. */
export function signMark(key: Buffer, kind: MarkKind, { position, hash }: Link): Buffer {
  return createHmac('sha256', key).update(`${kind} ${position} `).update(hash).digest();
}
