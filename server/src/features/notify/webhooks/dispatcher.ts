// Sends due deliveries. Every worker process has a dispatcher that claims deliveries and runs attempts concurrently, limited
// per endpoint, per account (delivery-slots.ts) and in total. If it is killed, its claims expire and nothing is lost.
import type { KeyObject } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { DELIVERY_CLAIM_MS, RENEW_EVERY_MS } from './claim-times.ts';
import { type CorrectTimes, createCorrectTimes } from './correct-times.ts';
import type { ClaimedDelivery, ClaimedWebhook } from './delivery.ts';
import { DeliverySlots } from './delivery-slots.ts';
import { claimDeliveries, hasDueWebhooks, lockDueWebhooks, renewClaims } from './delivery-store.ts';
import { EndpointQueue } from './endpoint-queue.ts';
import { makeAttempt } from './make-attempt.ts';
import { OutcomeWriter } from './outcome-writer.ts';
import { openSecrets } from './signature.ts';

const PAUSE_MS = 100;
const REST_MS = 10; // larger batches: claiming a hundred deliveries costs little more than claiming ten
const MAX_IN_FLIGHT = 512; // bounds sockets and memory; a quarter is enough for two hundred responsive endpoints
const BATCH_WEBHOOKS = 64;
const REMEMBERED_MS = 10_000;
const STOP_LIMIT_MS = 5_000; // another process repeats an attempt that takes longer

export function startDispatcher(
  services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics' | 'outbound' | 'secrets' | 'settings' | 'usage'>,
): BackgroundLoop {
  const dispatcher = new Dispatcher(services);
  const loop = startLoop({
    name: 'dispatcher',
    pauseMs: PAUSE_MS,
    restMs: REST_MS,
    log: services.log,
    round: () => dispatcher.claim(),
  });
  dispatcher.onRunningLow = () => loop.wake();
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await dispatcher.end();
    },
  };
}

export class Dispatcher {
  onRunningLow = () => {};
  readonly #services: Pick<Services, 'clock' | 'db' | 'log' | 'outbound' | 'secrets' | 'settings'>;
  readonly #writer: OutcomeWriter;
  readonly #correctTimes: CorrectTimes;
  readonly #slots = new DeliverySlots(MAX_IN_FLIGHT);
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #freed = new Set<EndpointQueue>();
  readonly #inFlight = new Set<ClaimedDelivery>();
  #renewedMs = performance.now();
  readonly #keys = new WeakMap<ClaimedWebhook, KeyObject[]>();
  readonly #drained = Promise.withResolvers<void>();
  #isEnding = false;

  constructor(
    services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics' | 'outbound' | 'secrets' | 'settings' | 'usage'>,
  ) {
    this.#services = services;
    this.#writer = new OutcomeWriter(services);
    this.#correctTimes = createCorrectTimes(services);
  }

  /** One round: claims due deliveries as far as slots are free. True if there may be more. */
  async claim(): Promise<boolean> {
    for (const queue of this.#queues.values()) this.#pump(queue); // queues that waited for a free slot
    this.#forgetIdle();
    await this.#renewClaims();
    await this.#correctTimes(this.#services.clock.now());
    const { webhooks, deliveries, claimedMs } = await this.#takeDue();
    const byWebhook = Map.groupBy(deliveries, ({ webhookId }) => webhookId);
    for (const webhook of webhooks) {
      const claimed = byWebhook.get(webhook.id) ?? [];
      if (claimed.length === 0) continue;
      const queue = this.#queues.get(webhook.id) ?? new EndpointQueue(webhook);
      queue.add(webhook, claimed, claimedMs);
      this.#queues.set(webhook.id, queue);
      this.#pump(queue);
    }
    return webhooks.length === BATCH_WEBHOOKS && deliveries.length > 0;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    for (const queue of this.#queues.values()) this.#release(queue.takeLate(Number.POSITIVE_INFINITY));
    if (this.#slots.inUse > 0)
      await Promise.race([this.#drained.promise, delay(STOP_LIMIT_MS, undefined, { ref: false })]);
    await this.#writer.end();
  }

  /** All attempts in flight: most end before the first renewal. */
  async #renewClaims(): Promise<void> {
    if (performance.now() - this.#renewedMs < RENEW_EVERY_MS) return;
    this.#renewedMs = performance.now();
    const { db, clock } = this.#services;
    const until = new Date(clock.now().getTime() + DELIVERY_CLAIM_MS);
    if (this.#inFlight.size > 0) await renewClaims(db, [...this.#inFlight], until);
  }

  async #takeDue() {
    const { db, clock } = this.#services;
    const now = clock.now();
    const claimedMs = performance.now(); // before the claim, so that BEGIN_WITHIN_MS ends before anyone who waits for the claim stops waiting
    const except = [...this.#queues].filter(([, queue]) => queue.room === 0).map(([id]) => id);
    const due = { now, except, exceptAccounts: this.#slots.listFull() };
    // When idle, a cheap check avoids the transaction; under load there is almost always something due.
    if (this.#slots.inUse === 0 && !(await hasDueWebhooks(db, due))) return { webhooks: [], deliveries: [], claimedMs };
    return db.asyncCommitTransaction(async (tx) => {
      const webhooks = await lockDueWebhooks(tx, due, BATCH_WEBHOOKS);
      if (webhooks.length === 0) return { webhooks, deliveries: [], claimedMs };
      const wanted = webhooks.map((webhook) => ({
        webhookId: webhook.id,
        count: Math.min(this.#roomFor(webhook), this.#slots.roomOf(webhook.accountId)),
      }));
      const until = new Date(now.getTime() + DELIVERY_CLAIM_MS);
      const deliveries = await claimDeliveries(tx, wanted, { id: newId(), now, until });
      return { webhooks, deliveries, claimedMs };
    });
  }

  #roomFor(webhook: ClaimedWebhook): number {
    return (this.#queues.get(webhook.id) ?? new EndpointQueue(webhook)).room;
  }

  #pump(queue: EndpointQueue): void {
    this.#release(queue.takeLate(performance.now()));
    const { accountId } = queue;
    while (!this.#isEnding && this.#slots.roomOf(accountId) > 0) {
      const startable = queue.begin({ isShort: this.#slots.isNearLimit(accountId) });
      if (!startable) break;
      this.#slots.take(accountId);
      void this.#run(queue, startable.webhook, startable.delivery);
    }
  }

  /** Waits until all responses that just arrived are read, because starting many attempts together is cheaper. */
  #pumpSoon(queue: EndpointQueue): void {
    if (this.#freed.size === 0) setImmediate(() => this.#pumpFreed());
    this.#freed.add(queue);
  }

  #pumpFreed(): void {
    const queues = [...this.#freed];
    this.#freed.clear();
    for (const queue of queues) this.#pump(queue);
    if (queues.some((queue) => queue.isRunningLow)) this.onRunningLow();
  }

  /** Drops idle queues, which remember the speed of their endpoint for a while. */
  #forgetIdle(): void {
    const nowMs = performance.now();
    for (const [id, queue] of this.#queues) if (queue.isIdleSince(nowMs - REMEMBERED_MS)) this.#queues.delete(id);
  }

  async #run(queue: EndpointQueue, webhook: ClaimedWebhook, delivery: ClaimedDelivery): Promise<void> {
    const startMs = performance.now();
    this.#inFlight.add(delivery);
    try {
      const outcome = await makeAttempt(this.#services, { url: webhook.url, keys: this.#keysOf(webhook) }, delivery);
      this.#writer.add(outcome);
      // Writing can take long without a database; the slot is free now.
      if (outcome.isGone) void this.#closeQueue(webhook.id, queue);
    } catch (error) {
      // Nothing above is expected to throw. The claim expires and the delivery is retried.
      this.#services.log.error({ err: error, webhook: webhook.id }, 'webhook attempt failed unexpectedly');
    }
    this.#inFlight.delete(delivery);
    queue.end(performance.now() - startMs);
    this.#slots.release(webhook.accountId);
    if (this.#isEnding && this.#slots.inUse === 0) this.#drained.resolve();
    this.#pumpSoon(queue);
  }

  /** Starts no further attempts; flushes, so that the webhook is disabled before its queue is dropped. */
  async #closeQueue(id: string, queue: EndpointQueue): Promise<void> {
    queue.close();
    this.#release(queue.takeLate(Number.POSITIVE_INFINITY));
    await this.#writer.flush();
    this.#queues.delete(id); // the webhook may be enabled again
  }

  /** Opens the secrets once per claim instead of once per attempt. */
  #keysOf(webhook: ClaimedWebhook): KeyObject[] {
    let keys = this.#keys.get(webhook);
    if (!keys) {
      const { secrets, clock } = this.#services;
      keys = openSecrets(secrets, { ...webhook, webhookId: webhook.id }, clock.now());
      this.#keys.set(webhook, keys);
    }
    return keys;
  }

  #release(deliveries: readonly ClaimedDelivery[]): void {
    if (deliveries.length === 0) return;
    const dueAt = this.#services.clock.now();
    for (const delivery of deliveries)
      this.#writer.add({ delivery, attempt: null, url: null, status: 'pending', dueAt, isGone: false });
  }
}
