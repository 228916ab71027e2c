// Reads and changes a user's consolidation settings. A change is stored before the response; a job recomputes the days.
import {
  type ConsolidationSettings,
  changeSettings,
  isSameSettings,
  NO_SETTINGS,
  type SettingsChange,
} from '../../../domain/consolidate/consolidation-rules.ts';
import { parseUserId, type Tenant } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { type AppError, notFound } from '../../../platform/errors.ts';
import type { AccountCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { isConnected, listDevices } from '../../store/devices/index.ts';
import { actorOf, insertAudit } from '../../tenancy/accounts/index.ts';
import {
  advanceRevision,
  changeUser,
  lockUser,
  openUser,
  saveConsolidation,
  type UserHandle,
  withUserMutex,
} from '../../tenancy/user-core/index.ts';
import { enqueueRebuild } from '../ingest/index.ts';
import { queueEveryDay } from '../scoring/index.ts';
import { checkChange } from './check-change.ts';
import { type Configuration, presentConfiguration } from './configuration.ts';
import { type Preview, previewSettings } from './preview-settings.ts';

/** Waiting previews per user: each takes about 100 ms for a year of data. */
const MAX_PREVIEWS = 32;

type Context = {
  readonly services: Pick<Services, 'clock' | 'db' | 'jobs' | 'shares' | 'userMutex'>;
  readonly caller: AccountCaller;
  readonly requestId: string;
};

export type ChangeResult = { readonly status: 'reconsolidating' | 'unchanged'; readonly configuration: Configuration };

export async function readConfiguration(
  {
    services,
    caller,
  }: { readonly services: Pick<Services, 'clock' | 'db'>; readonly caller: { readonly tenant: Tenant } },
  { userId }: { readonly userId: string },
): Promise<Configuration> {
  const id = parseUserId(userId);
  const user = id && (await openUser(services.db, caller.tenant, id));
  if (!user) throw noSuchUser(userId);
  return presentConfiguration(user.consolidation, await listConnected(services.db, user, services.clock.now()));
}

export async function changeConsolidation(
  context: Context,
  { userId, change }: { readonly userId: string; readonly change: SettingsChange },
): Promise<ChangeResult> {
  return storeSettings(context, userId, (before, connected) => {
    checkChange(change, connected);
    return changeSettings(before, change);
  });
}

export async function resetConsolidation(
  context: Context,
  { userId }: { readonly userId: string },
): Promise<ChangeResult> {
  return storeSettings(context, userId, () => NO_SETTINGS);
}

/** Computes the effect of a change without applying it. */
export async function previewConsolidation(
  { services, caller }: Context,
  {
    userId,
    change,
    withScores,
  }: { readonly userId: string; readonly change: SettingsChange; readonly withScores: boolean },
): Promise<Preview> {
  const id = parseUserId(userId);
  if (id === null) throw noSuchUser(userId);
  const { db, clock, shares } = services;
  const now = clock.now();
  const preview = () =>
    db.dryRun(async (tx) => {
      const locked = await lockUser(tx, caller.tenant, id);
      if (!locked) throw noSuchUser(userId);
      const user = locked.handle;
      checkChange(change, await listConnected(tx, user, now));
      return previewSettings(tx, user, change, { now, withScores });
    });
  // The account's share comes before the user's mutex, as for routes with a cost: in the other order a preview and the removal of
  // a device would wait for each other. The queue before both keeps the previews of one user from filling the share's queue.
  const { accountId, environment } = caller.tenant;
  const inMutex = () => withUserMutex(services, caller.tenant, id, preview);
  const inShare = () => shares.computation.run(accountId, inMutex);
  const queue = `previews of ${accountId} ${environment} ${id}`;
  return services.userMutex.run(queue, inShare, { maxWaiting: MAX_PREVIEWS });
}

function storeSettings(
  { services, caller, requestId }: Context,
  userId: string,
  decide: (before: ConsolidationSettings, connected: readonly string[]) => ConsolidationSettings,
): Promise<ChangeResult> {
  const id = parseUserId(userId);
  if (id === null) throw noSuchUser(userId);
  return changeUser(services, caller.tenant, id, async (tx, locked) => {
    if (!locked) throw noSuchUser(userId);
    const user = locked.handle;
    const connected = await listConnected(tx, user, services.clock.now());
    const settings = decide(user.consolidation, connected);
    const configuration = presentConfiguration(settings, connected);
    if (isSameSettings(settings, user.consolidation)) return { status: 'unchanged', configuration };
    await saveConsolidation(tx, user, settings);
    await insertAudit(tx, {
      ...caller.tenant,
      at: services.clock.now(),
      actor: actorOf({ caller, requestId }),
      action: 'consolidation.changed',
      subject: id,
      userId: id,
      details: { before: user.consolidation, after: settings },
    });
    await advanceRevision(tx, user); // a switched provider changes timeseries at once
    await enqueueRebuild(services.jobs, tx, user, 'choice');
    await queueEveryDay(tx, user, services.clock.now()); // switched providers change quarter hours at once, days change after the rebuild
    return { status: 'reconsolidating', configuration };
  });
}

/** Providers with a connected device, including those that need reauthorization (gap G-33). */
async function listConnected(db: Queryable, user: UserHandle, now: Date): Promise<string[]> {
  const connected = (await listDevices(db, user, now)).filter(isConnected);
  return [...new Set(connected.map(({ provider }) => provider))].sort();
}

function noSuchUser(id: string): AppError {
  return notFound('User', { user_id: id }, 'user_not_found');
}
