// Converts stored provider webhooks into sync tasks, those of an application in order of arrival. One reader at a time reads a batch;
// none is lost.

import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError, isUnavailable } from '../../../platform/errors.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import type { Services } from '../../../platform/services.ts';
import { ProviderAnswerError, type WebhookItem } from '../../../providers/contract.ts';
import type { ProviderAppServices } from '../provider-apps/index.ts';
import { listAppsById } from '../provider-apps/index.ts';
import { followSharing, processWebhook, requireReauthorization, type WebhookOutcome } from '../sync/index.ts';
import { readProviderWebhook } from './read-provider-webhook.ts';
import {
  becomeReader,
  hasWebhooks,
  listLeft,
  listProviderWebhooks,
  readStored,
  removeWebhooks,
  type StoredWebhook,
} from './store.ts';

const PAUSE_MS = 200;
const WEBHOOKS_AT_A_TIME = 100;

type NeededServices = ProviderAppServices & Pick<Services, 'clock' | 'log' | 'metrics' | 'threads' | 'userMutex'>;

export function startWebhookReader(services: NeededServices, onTasksAdded: () => void): BackgroundLoop {
  return startLoop({
    name: 'provider_webhooks',
    pauseMs: PAUSE_MS,
    log: services.log,
    async round() {
      const count = await processWaiting(services);
      if (count > 0) onTasksAdded();
      return count > 0;
    },
  });
}

/** Returns the number of webhooks processed. */
export async function processWaiting(services: NeededServices): Promise<number> {
  if (!(await hasWebhooks(services.db))) return 0;
  try {
    return (await readSome(services, (tx) => listProviderWebhooks(tx, WEBHOOKS_AT_A_TIME))).count;
  } catch (error) {
    if (isOurFault(error)) throw error;
    return readOneByOne(services);
  }
}

/**
 * One webhook that cannot be processed must not block the others, which may be of any provider. Ends when another process is the
 * reader: going on with the next webhook would read it before this one.
 */
async function readOneByOne(services: NeededServices): Promise<number> {
  const keys = (await listProviderWebhooks(services.db, WEBHOOKS_AT_A_TIME)).map(({ id, provider }) => ({
    id,
    provider,
  }));
  for (const [index, { id, provider }] of keys.entries()) {
    try {
      const { isReader } = await readSome(services, (tx) => readStored(tx, id));
      if (!isReader) return index;
    } catch (error) {
      if (isOurFault(error)) throw error;
      services.metrics.countWebhooks(provider, 'unreadable');
      const reason = error instanceof Error ? error.message : 'unknown';
      services.log.error({ provider, reason }, 'dropped a provider webhook that cannot be processed');
      await removeWebhooks(services.db, [id]);
    }
  }
  return keys.length;
}

/** The database is unavailable or the threads are busy: the webhook itself is fine. */
function isOurFault(error: unknown): boolean {
  return isUnavailable(error) || (error instanceof AppError && error.code === 'overloaded');
}

/**
 * A webhook is removed in the transaction that adds its tasks, or after the changes that need the user's lock. `isReader` false:
 * another process is the reader now, and some of the webhooks may be left.
 */
async function readSome(
  services: NeededServices,
  list: (tx: Transaction) => Promise<StoredWebhook[]>,
): Promise<{ readonly count: number; readonly isReader: boolean }> {
  const { isReader, count, unfinished } = await services.db.transaction(async (tx) => {
    if (!(await becomeReader(tx))) return { isReader: false, count: 0, unfinished: [] };
    const webhooks = await list(tx);
    const read: ReadWebhook[] = [];
    for (const webhook of webhooks) read.push({ id: webhook.id, outcomes: await processStored(services, tx, webhook) });
    const { true: finished = [], false: unfinished = [] } = Object.groupBy(
      read,
      ({ outcomes }) => `${outcomes.every(isFinished)}`,
    );
    await removeWebhooks(tx, idsOf(finished));
    return { isReader: true, count: webhooks.length, unfinished };
  });
  return { count, isReader: unfinished.length === 0 ? isReader : await finishAll(services, unfinished) };
}

/**
 * Takes the reader lock again: webhooks that another reader finished are gone, and later ones are not finished first. False: another
 * process is the reader and processes them.
 */
async function finishAll(
  services: Pick<Services, 'clock' | 'db' | 'userMutex'>,
  unfinished: readonly ReadWebhook[],
): Promise<boolean> {
  return services.db.transaction(async (tx) => {
    if (!(await becomeReader(tx))) return false;
    const left = new Set(await listLeft(tx, idsOf(unfinished)));
    for (const { id, outcomes } of unfinished) {
      if (!left.has(id)) continue;
      for (const one of outcomes) await finish(services, one);
    }
    await removeWebhooks(tx, [...left]);
    return true;
  });
}

function idsOf(webhooks: readonly ReadWebhook[]): string[] {
  return webhooks.map(({ id }) => id);
}

type ReadWebhook = { readonly id: string; readonly outcomes: readonly WebhookOutcome[] };

function isFinished({ ended, sharing }: WebhookOutcome): boolean {
  return ended.length === 0 && sharing.length === 0;
}

/** If the process dies before the webhook is removed, this runs again without further effect. */
async function finish(
  services: Pick<Services, 'clock' | 'db' | 'userMutex'>,
  { ended, sharing }: WebhookOutcome,
): Promise<void> {
  for (const account of ended) await requireReauthorization(services, account);
  for (const change of sharing) await followSharing(services, change);
}

async function processStored(
  services: ProviderAppServices & Pick<Services, 'clock' | 'log' | 'metrics' | 'threads'>,
  tx: Transaction,
  stored: StoredWebhook,
): Promise<WebhookOutcome[]> {
  const [app] = await listAppsById(services, stored.provider, stored.appId);
  if (app === undefined) return []; // the application was removed in the meantime
  const all: WebhookOutcome[] = [];
  const yieldNowAndThen = createYielder();
  for (const webhook of await parse(services, stored)) {
    await yieldNowAndThen();
    const outcome = await processWebhook(services, tx, app, webhook);
    if (outcome.accounts === 0) services.metrics.countWebhooks(stored.provider, 'unknown_person');
    all.push(outcome);
  }
  return all;
}

/** An unreadable webhook is dropped: the provider would only send the same body again. */
async function parse(
  { threads, metrics, log }: Pick<Services, 'log' | 'metrics' | 'threads'>,
  stored: StoredWebhook,
): Promise<Iterable<WebhookItem>> {
  const { provider } = stored;
  try {
    return await readProviderWebhook(threads, stored);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    metrics.countWebhooks(provider, 'unreadable');
    log.warn({ provider, reason: error.message }, 'dropped an unreadable provider webhook');
    return [];
  }
}

function isUnreadable(error: unknown): error is Error {
  if (error instanceof AppError) return error.code === 'payload_too_large' || error.code === 'invalid_body';
  return error instanceof ProviderAnswerError;
}
