// Creates, rotates and renames API keys. The key is returned once; only its hash is stored.
import type { Environment, Tenant } from '../../../domain/tenancy.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { hashToken } from '../../../platform/crypto/opaque-token.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { type Actor, nameOfActor } from './actor.ts';
import { hasEnded, keyExpiryOf, mintApiKey } from './api-key.ts';
import { insertAudit } from './audit-store.ts';
import {
  type ApiKeyDetails,
  type ApiKeyRecord,
  countWorkingKeys,
  endPredecessors,
  findKeyInForce,
  insertApiKey,
  listKeyNames,
  readApiKeyById,
  renameApiKey as renameStoredKey,
  replaceApiKey,
} from './key-store.ts';
import { changeCredentials, getAccountOrThrow } from './manage-accounts.ts';
import { type Account, lockAccount } from './store.ts';

export const DEFAULT_KEY_NAME = 'default';
/**
 * Per environment, counting the keys that are accepted. Each key has its own rate limit (100 requests per second), so this
 * also limits an account: twenty keys are enough for one per program and allow at most 2,000 requests per second.
 */
const MAX_KEYS = 20;
/** Enough to deploy a new key everywhere; a longer overlap would be a second key. */
export const MAX_OVERLAP_MS = 7 * DAY_MS;

export type WhichKey =
  | { readonly id: string }
  | { readonly account: string; readonly environment: Environment; readonly name: string };
export type NewApiKey = {
  readonly key: string;
  readonly id: string;
  readonly name: string;
  readonly environment: Environment;
  readonly account: string;
  readonly expiresAt: Date;
  /** The key that a rotation replaced. */
  readonly replaced: { readonly id: string; readonly endsAt: Date } | null;
};

type NeededServices = Pick<Services, 'clock' | 'credentialVersion' | 'db' | 'settings'>;

/** Revokes no other key. The default name is `default`, or else the first free name of `key-2`, `key-3` and so on. */
export async function createApiKey(
  services: NeededServices,
  wanted: { readonly account: string; readonly environment: Environment; readonly name?: string | undefined },
  by: Actor,
): Promise<NewApiKey> {
  const account = await getAccountOrThrow(services, wanted.account);
  return addKey(services, account, wanted.environment, by, async (tx, tenant, { createdAt }) => {
    const taken = await listKeyNames(tx, tenant);
    if (wanted.name !== undefined && taken.includes(wanted.name)) throw nameTaken(wanted.name);
    if ((await countWorkingKeys(tx, tenant, createdAt)) >= MAX_KEYS)
      throw new AppError('key_limit', { details: { limit: MAX_KEYS } });
    return { name: wanted.name ?? findFreeName(taken), replaced: null };
  });
}

function findFreeName(taken: readonly string[]): string {
  let name = DEFAULT_KEY_NAME;
  for (let number = 2; taken.includes(name); number += 1) name = `key-${number}`;
  return name;
}

/**
 * Creates a new key with the same name. The current key, and keys that it replaced itself, end after the overlap; with an
 * overlap of 0 they end immediately.
 */
export async function rotateApiKey(
  services: NeededServices & Pick<Services, 'tombstones'>,
  which: WhichKey,
  overlapMs: number,
  by: Actor,
): Promise<NewApiKey> {
  const { account, environment } =
    'id' in which
      ? await getKeyOrThrow(services, which.id)
      : { account: await getAccountOrThrow(services, which.account), environment: which.environment };
  const made = await addKey(services, account, environment, by, async (tx, tenant, { id, createdAt }) => {
    const current = 'id' in which ? await readApiKeyById(tx, which.id) : await findKeyInForce(tx, tenant, which.name);
    if (current === null) throw noSuchKey('id' in which ? { id: which.id } : { name: which.name });
    if (current.end !== null) throw keyEnded(current, createdAt);
    const endsAt = endOfOverlap(current, createdAt, overlapMs);
    const isAdded = endsAt > createdAt || current.expiresAt <= createdAt; // no working key ends in return
    if (isAdded && (await countWorkingKeys(tx, tenant, createdAt)) >= MAX_KEYS)
      throw new AppError('key_limit', { message: NO_ROOM, details: { limit: MAX_KEYS } });
    const replacement = { id, at: createdAt, endsAt };
    if (!(await replaceApiKey(tx, current.id, replacement))) throw new AppError('key_ended');
    await endPredecessors(tx, current.id, replacement);
    const details = { name: current.name, last_four: current.lastFour, ends_at: formatInstant(endsAt) };
    const entry = { at: createdAt, actor: by, action: 'api_key.rotated', subject: current.id, details };
    await insertAudit(tx, { ...tenant, ...entry });
    return { name: current.name, replaced: { id: current.id, endsAt } };
  });
  if (overlapMs === 0 && made.replaced) await services.tombstones.tryToAdd('api_key', made.replaced.id);
  return made;
}

const NO_ROOM =
  'API key limit reached for this environment. Revoke a key that you no longer use, or rotate without an overlap.';

/** Not after the expiry, so that the end that we show is the end that happens. */
function endOfOverlap({ expiresAt }: ApiKeyRecord, now: Date, overlapMs: number): Date {
  return new Date(Math.max(now.getTime(), Math.min(now.getTime() + overlapMs, expiresAt.getTime())));
}

export async function renameApiKey(
  services: Pick<Services, 'clock' | 'db'>,
  { id, name }: { readonly id: string; readonly name: string },
  by: Actor,
): Promise<ApiKeyDetails> {
  const { account, environment } = await getKeyOrThrow(services, id);
  const tenant = { accountId: account.id, environment };
  const at = services.clock.now();
  return services.db.transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const key = await readApiKeyById(tx, id);
    if (key === null) throw noSuchKey({ id });
    if (key.end !== null) throw keyEnded(key, at);
    if (key.name === name) return key;
    if ((await listKeyNames(tx, tenant)).includes(name)) throw nameTaken(name);
    await renameStoredKey(tx, id, name);
    const details = { before: { name: key.name }, after: { name } };
    await insertAudit(tx, { ...tenant, at, actor: by, action: 'api_key.renamed', subject: id, details });
    return { ...key, name };
  });
}

export async function getKeyOrThrow(services: Pick<Services, 'db'>, id: string): Promise<ApiKeyDetails> {
  const key = await readApiKeyById(services.db, id);
  if (key === null) throw noSuchKey({ id });
  return key;
}

function noSuchKey(details: { readonly name: string } | { readonly id: string }): AppError {
  return new AppError('not_found', { message: 'API key not found.', details });
}

function nameTaken(name: string): AppError {
  const message = 'Another key of this environment has that name. Choose another name or rotate that key.';
  return new AppError('name_taken', { message, details: { name } });
}

/** For a key that was revoked or replaced. */
function keyEnded(key: ApiKeyRecord, now: Date): AppError {
  const endsAt = formatInstant(key.end?.at ?? now);
  const message = hasEnded(key, now)
    ? `This key ended on ${endsAt}. Use the key that replaced it, or create a new one.`
    : `This key was already replaced and ends on ${endsAt}. Use the key that replaced it.`;
  return new AppError('key_ended', { message, details: { id: key.id, ends_at: endsAt, replaced_by: key.replacedBy } });
}

async function addKey(
  services: NeededServices,
  account: Account,
  environment: Environment,
  by: Actor,
  plan: (
    tx: Transaction,
    tenant: Tenant,
    made: { readonly id: string; readonly createdAt: Date },
  ) => Promise<Pick<NewApiKey, 'name' | 'replaced'>>,
): Promise<NewApiKey> {
  if (environment === 'sandbox' && !services.settings.isSandboxOn)
    throw new AppError('sandbox_disabled', {
      message:
        'The sandbox environment is turned off on this deployment (TRIBUTARY_SANDBOX=off). Create a live key instead.',
    });
  const [key, id] = [mintApiKey(environment), newId<string>()];
  const tenant = { accountId: account.id, environment };
  const made = await changeCredentials(services, async (tx) => {
    await lockAccount(tx, account.id);
    const createdAt = services.clock.now(); // after the lock, so that keys are created in the order of their times
    const expiresAt = keyExpiryOf(createdAt);
    const { name, replaced } = await plan(tx, tenant, { id, createdAt });
    const stored = {
      secretHash: hashToken(key),
      lastFour: key.slice(-4),
      createdAt,
      createdBy: nameOfActor(by),
      expiresAt,
    };
    await insertApiKey(tx, { id, tenant, name, ...stored });
    const details = { name, last_four: stored.lastFour };
    await insertAudit(tx, { ...tenant, at: createdAt, actor: by, action: 'api_key.created', subject: id, details });
    return { name, replaced, expiresAt };
  });
  return { key, id, environment, account: account.name, ...made };
}
