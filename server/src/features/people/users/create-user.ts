// Creates a user in the environment of the key.
import type { Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { isUniqueViolation } from '../../../platform/db/database-errors.ts';
import { AppError } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { prepareSeed, type Seed, seedSandboxUser } from '../../sandbox/sandbox-users/index.ts';
import { countUserIn, readEnvironmentUsage } from '../../tenancy/accounts/index.ts';
import { findUserByReference, insertUser, lockUser, type User } from '../../tenancy/user-core/index.ts';
import { checkUserFields, mergeMetadata, mergeProfile, type UserFields } from './user-fields.ts';

export type CreateUserInput = UserFields & {
  readonly referenceId: string;
  /** Whether a sandbox user starts with devices and data; null: not given. */
  readonly isSeeded: boolean | null;
};

export async function createUser(
  { services, caller }: { services: Pick<Services, 'clock' | 'db'>; caller: AccountCaller },
  input: CreateUserInput,
): Promise<User> {
  const now = services.clock.now();
  checkUserFields(input, now);
  const id = newId<UserId>();
  const isSandbox = caller.tenant.environment === 'sandbox';
  if (!isSandbox && input.isSeeded === true) {
    const message = 'can only be true with a sandbox key: a live user starts without data';
    throw new AppError('invalid_body', { details: { issues: [{ path: 'seed', message }] } });
  }
  const seed = isSandbox && input.isSeeded !== false ? await prepareUserSeed(id, input, now) : null;
  try {
    return await services.db.transaction((tx) => addUser(tx, caller.tenant, { ...input, id, seed }, now));
  } catch (error) {
    if (!isUniqueViolation(error, 'users_reference_in_use')) throw error;
    throw await referenceTaken(services, caller, input.referenceId);
  }
}

/** The generated days depend on the user's id, so the id is created first. */
function prepareUserSeed(userId: UserId, { timezone, profile }: UserFields, now: Date): Promise<Seed> {
  return prepareSeed({ userId, timezone: timezone ?? null, profile: mergeProfile({}, profile) }, now);
}

type NewUser = UserFields & {
  readonly referenceId: string | null;
  readonly id?: UserId;
  /** Null: the user starts without data. */
  readonly seed?: Seed | null;
};

/** The caller has checked the fields. Without a reference, the id becomes the reference. */
export async function addUser(tx: Transaction, tenant: Tenant, input: NewUser, now: Date): Promise<User> {
  const { id = newId<UserId>(), seed = null } = input;
  const user: User = {
    id,
    referenceId: input.referenceId ?? id,
    timezone: input.timezone ?? null,
    status: 'active',
    scoreStatus: seed === null ? 'calibrating' : 'ready', // gap G-09
    calibratingUntil: null,
    profile: mergeProfile({}, input.profile),
    metadata: mergeMetadata({}, input.metadata),
    lastSyncAt: null,
    lastScoreAt: null,
    createdAt: now,
  };
  await insertUser(tx, tenant, user);
  const made = seed === null ? user : await seedUser(tx, tenant, user, seed, now);
  await requireRoom(tx, tenant); // last, because other transactions that create users of this account wait for the counter
  return made;
}

/** Counts the user, or throws if the user limit is reached. */
export async function requireRoom(tx: Transaction, tenant: Tenant): Promise<void> {
  if (await countUserIn(tx, tenant)) return;
  const { userLimit } = await readEnvironmentUsage(tx, tenant);
  throw new AppError('payment_required', {
    message:
      'User limit reached for this environment. Delete a user, or ask the operator of the service for a higher limit.',
    details: { limit: userLimit },
  });
}

/** Returns the user as it is after seeding. */
async function seedUser(tx: Transaction, tenant: Tenant, user: User, seed: Seed, now: Date): Promise<User> {
  const locked = await lockUser(tx, tenant, user.id);
  if (!locked) throw new Error('the user that was just created was not found');
  await seedSandboxUser(tx, locked.handle, seed, now);
  return (await lockUser(tx, tenant, user.id))?.user ?? user;
}

export async function referenceTaken(
  services: Pick<Services, 'db'>,
  caller: AccountCaller,
  referenceId: string,
): Promise<AppError> {
  const holder = await findUserByReference(services.db, caller.tenant, referenceId);
  return new AppError('reference_taken', { details: holder === null ? {} : { user_id: holder } });
}
