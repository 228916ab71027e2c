// Turns stored notices into errands, in the order in which they came. One reader at a time, a handful at once: none is lost.
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Transaction } from '../../../platform/db/database.ts';
import { AppError } from '../../../platform/errors.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import type { Services } from '../../../platform/services.ts';
import { ProviderAnswerError, type WebhookItem } from '../../../providers/contract.ts';
import { listAppsById } from '../provider-apps/index.ts';
import { awaitPersonOf, followSharing, type TakenWebhook, takeWebhook } from '../sync/index.ts';
import { readWebhook } from './read-webhook.ts';
import { becomeReader, hasWebhooks, listLeft, listWebhooks, removeWebhooks, type StoredWebhook } from './store.ts';

const PAUSE_MS = 200;
const WEBHOOKS_AT_A_TIME = 100;

export function startWebhookReader(services: Services, onTaken: () => void): BackgroundLoop {
  return startLoop({
    name: 'notices',
    pauseMs: PAUSE_MS,
    log: services.log,
    async round() {
      const count = await readWebhookItems(services);
      if (count > 0) onTaken();
      return count > 0;
    },
  });
}

/** Returns how many there were. */
export async function readWebhookItems(services: Services): Promise<number> {
  if (!(await hasWebhooks(services.db))) return 0;
  try {
    return await readSome(services, WEBHOOKS_AT_A_TIME);
  } catch (error) {
    if (isOurFault(error)) throw error;
    return readOneByOne(services);
  }
}

/** Something in one of them is beyond us: it must not stand in the way of all others, of every provider. */
async function readOneByOne(services: Services): Promise<number> {
  for (let count = 0; count < WEBHOOKS_AT_A_TIME; count += 1) {
    const [first] = await listWebhooks(services.db, 1);
    if (first === undefined) return count;
    try {
      await readSome(services, 1);
    } catch (error) {
      if (isOurFault(error)) throw error;
      services.metrics.countWebhooks(first.provider, 'unreadable');
      const reason = error instanceof Error ? error.message : 'unknown';
      services.log.error({ provider: first.provider, reason }, 'a notice cannot be worked on and is left out');
      await removeWebhooks(services.db, [first.id]);
    }
  }
  return WEBHOOKS_AT_A_TIME;
}

/** The database is away or the threads are busy: nothing is wrong with the notice. */
function isOurFault(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'unavailable' || error.code === 'overloaded');
}

/** A notice goes with what it was about: with its errands, or after what has to take the lock of its user. */
async function readSome(services: Services, limit: number): Promise<number> {
  const { count, unfinished } = await services.db.transaction(async (tx) => {
    if (!(await becomeReader(tx))) return { count: 0, unfinished: [] };
    const webhooks = await listWebhooks(tx, limit);
    const read: ReadWebhook[] = [];
    for (const webhook of webhooks) read.push({ id: webhook.id, taken: await take(services, tx, webhook) });
    const { true: finished = [], false: unfinished = [] } = Object.groupBy(
      read,
      ({ taken }) => `${taken.every(isFinished)}`,
    );
    await removeWebhooks(tx, idsOf(finished));
    return { count: webhooks.length, unfinished };
  });
  if (unfinished.length > 0) await finishAll(services, unfinished);
  return count;
}

/** As the only reader again: what another one has finished meanwhile is gone, and what came later is not finished before. */
async function finishAll(services: Services, unfinished: readonly ReadWebhook[]): Promise<void> {
  await services.db.transaction(async (tx) => {
    if (!(await becomeReader(tx))) return; // that one finds them where they are
    const left = new Set(await listLeft(tx, idsOf(unfinished)));
    for (const { id, taken } of unfinished) {
      if (!left.has(id)) continue;
      for (const one of taken) await finish(services, one);
    }
    await removeWebhooks(tx, [...left]);
  });
}

function idsOf(webhooks: readonly ReadWebhook[]): string[] {
  return webhooks.map(({ id }) => id);
}

type ReadWebhook = { readonly id: string; readonly taken: readonly TakenWebhook[] };

function isFinished({ ended, sharing }: TakenWebhook): boolean {
  return ended.length === 0 && sharing.length === 0;
}

/** Whoever dies before the notice is gone does it again: it changes nothing more. */
async function finish(services: Services, { ended, sharing }: TakenWebhook): Promise<void> {
  for (const account of ended) await awaitPersonOf(services, account);
  for (const change of sharing) await followSharing(services, change);
}

async function take(services: Services, tx: Transaction, stored: StoredWebhook): Promise<TakenWebhook[]> {
  const [app] = await listAppsById(services, stored.provider, stored.appId);
  if (app === undefined) return []; // it was taken away meanwhile
  const all: TakenWebhook[] = [];
  const yieldNowAndThen = createYielder();
  for (const webhook of await parse(services, stored)) {
    await yieldNowAndThen();
    const taken = await takeWebhook(services, tx, app, webhook);
    if (taken.accounts === 0) services.metrics.countWebhooks(stored.provider, 'unknown_person');
    all.push(taken);
  }
  return all;
}

/** It was acknowledged: the provider would only send the same body again. */
async function parse({ threads, metrics, log }: Services, stored: StoredWebhook): Promise<Iterable<WebhookItem>> {
  const { provider } = stored;
  try {
    return await readWebhook(threads, stored);
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
