// Queues replays of one user, one environment, or all users, one page per call so that no call takes long.
import type { Environment, Tenant, UserId } from '../../../domain/tenancy.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { type OpenJobs, readOpenJobs } from '../../../platform/jobs/job-queue.ts';
import type { Services } from '../../../platform/services.ts';
import { listUsersWithPayloads } from '../../store/raw-payloads/index.ts';
import { type Actor, getAccountOrThrow, insertAudit } from '../../tenancy/accounts/index.ts';
import { getUserForOperatorOrThrow, parseUserIdOrThrow } from '../../tenancy/user-core/index.ts';
import { enqueueReplay, replayUserJob } from './jobs.ts';

/** Exactly one of user, account with environment, or all. */
export type ReplayRequest = {
  readonly userId?: string;
  readonly account?: string;
  readonly environment?: Environment;
  readonly isAll: boolean;
  /** The last user of the previous page. */
  readonly after: string | null;
};

export type QueuedReplays = { readonly users: number; readonly next: UserId | null };

const PAGE_SIZE = 500;

export async function startReplay(
  services: Pick<Services, 'clock' | 'db' | 'jobs'>,
  request: ReplayRequest,
  by: Actor,
): Promise<QueuedReplays> {
  const { db, jobs } = services;
  requireOneChoice(request);
  if (request.userId !== undefined) {
    const user = await getUserForOperatorOrThrow(db, request.userId);
    const entry = { at: services.clock.now(), actor: by, action: 'user.replay_started', subject: user.userId };
    await db.transaction(async (tx) => {
      await enqueueReplay(jobs, tx, user.userId, user.tenant);
      await insertAudit(tx, { ...user.tenant, ...entry, userId: user.userId });
    });
    return { users: 1, next: null };
  }
  const { account, environment } = request;
  const tenant =
    account === undefined || environment === undefined
      ? null
      : { accountId: (await getAccountOrThrow(services, account)).id, environment };
  const after = request.after === null ? null : parseUserIdOrThrow(request.after);
  const users = await listUsersWithPayloads(db, tenant, { after, limit: PAGE_SIZE });
  await db.transaction(async (tx) => {
    for (const user of users) await enqueueReplay(jobs, tx, user.userId, user.tenant);
    await recordReplays(services, tx, users, by);
  });
  return { users: users.length, next: users.length < PAGE_SIZE ? null : (users.at(-1)?.userId ?? null) };
}

/** One entry per environment. */
async function recordReplays(
  { clock }: Pick<Services, 'clock'>,
  tx: Transaction,
  users: readonly { readonly tenant: Tenant }[],
  actor: Actor,
): Promise<void> {
  const counts = new Map<string, { readonly tenant: Tenant; users: number }>();
  for (const { tenant } of users)
    counts.getOrInsertComputed(`${tenant.accountId} ${tenant.environment}`, () => ({ tenant, users: 0 })).users += 1;
  const entry = { at: clock.now(), actor, action: 'data.replay_started', subject: '' };
  for (const { tenant, users: count } of counts.values())
    await insertAudit(tx, { ...tenant, ...entry, details: { users: count } });
}

export function readReplays({ db }: Pick<Services, 'db'>): Promise<OpenJobs> {
  return readOpenJobs(db, replayUserJob);
}

function requireOneChoice({ userId, account, environment, isAll }: ReplayRequest): void {
  const isTenant = account !== undefined && environment !== undefined;
  const isPart = account !== undefined || environment !== undefined;
  if ([userId !== undefined, isTenant, isAll].filter(Boolean).length === 1 && isPart === isTenant) return;
  const message = 'must have exactly one of user_id, account with environment, or all';
  throw new AppError('invalid_body', { details: { issues: [{ path: '', message }] } });
}
