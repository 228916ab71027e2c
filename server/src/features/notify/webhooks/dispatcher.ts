// Sends what is due. One in every worker process: each claims deliveries for a while and makes the attempts side by side, so many
// an endpoint, an account (delivery-slots.ts) and in all. Killed at any moment it loses nothing: what was claimed comes back.
import type { KeyObject } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import { newId } from '../../../platform/ids.ts';
import type { Services } from '../../../platform/services.ts';
import { CLAIM_MS } from './claim-times.ts';
import type { ClaimedDelivery, ClaimedWebhook } from './delivery.ts';
import { DeliverySlots } from './delivery-slots.ts';
import { claimDeliveries, hasDueWebhooks, lockDueWebhooks } from './delivery-store.ts';
import { EndpointQueue } from './endpoint-queue.ts';
import { makeAttempt } from './make-attempt.ts';
import { OutcomeWriter } from './outcome-writer.ts';
import { openSecrets } from './signature.ts';

const PAUSE_MS = 100;
const REST_MS = 10; // a hundred deliveries in one claim cost little more than ten
const MAX_UNDER_WAY = 512; // sockets and memory; a quarter of it would do for two hundred endpoints that answer
const WEBHOOKS_AT_A_TIME = 64;
const REMEMBERED_MS = 10_000;
const STOP_LIMIT_MS = 5_000; // an attempt that takes longer is made again by another process

export function startDispatcher(services: Services): BackgroundLoop {
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

class Dispatcher {
  onRunningLow = () => {};
  readonly #services: Services;
  readonly #writer: OutcomeWriter;
  readonly #slots = new DeliverySlots(MAX_UNDER_WAY);
  readonly #lanes = new Map<string, EndpointQueue>();
  readonly #freed = new Set<EndpointQueue>();
  readonly #keys = new WeakMap<ClaimedWebhook, KeyObject[]>();
  readonly #quiet = Promise.withResolvers<void>();
  #isEnding = false;

  constructor(services: Services) {
    this.#services = services;
    this.#writer = new OutcomeWriter(services);
  }

  /** One round: takes what is due and there is room for. True if there may be more. */
  async claim(): Promise<boolean> {
    for (const queue of this.#lanes.values()) this.#pump(queue); // those that waited for a place among all
    this.#forgetIdle();
    const { webhooks, deliveries, claimedMs } = await this.#takeDue();
    const byWebhook = Map.groupBy(deliveries, ({ webhookId }) => webhookId);
    for (const webhook of webhooks) {
      const claimed = byWebhook.get(webhook.id) ?? [];
      if (claimed.length === 0) continue;
      const queue = this.#lanes.get(webhook.id) ?? new EndpointQueue(webhook);
      queue.add(webhook, claimed, claimedMs);
      this.#lanes.set(webhook.id, queue);
      this.#pump(queue);
    }
    return webhooks.length === WEBHOOKS_AT_A_TIME && deliveries.length > 0;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    for (const queue of this.#lanes.values()) this.#putBack(queue.takeLate(Number.POSITIVE_INFINITY));
    if (this.#slots.inUse > 0)
      await Promise.race([this.#quiet.promise, delay(STOP_LIMIT_MS, undefined, { ref: false })]);
    await this.#writer.end();
  }

  async #takeDue() {
    const { db, clock } = this.#services;
    const now = clock.now();
    const claimedMs = performance.now(); // before the claim: whoever waits for it to pass counts from later
    const except = [...this.#lanes].filter(([, queue]) => queue.room === 0).map(([id]) => id);
    const due = { now, except, exceptAccounts: this.#slots.listFull() };
    // At rest one look is enough; at work there nearly always is something.
    if (this.#slots.inUse === 0 && !(await hasDueWebhooks(db, due))) return { webhooks: [], deliveries: [], claimedMs };
    return db.asyncCommitTransaction(async (tx) => {
      const webhooks = await lockDueWebhooks(tx, due, WEBHOOKS_AT_A_TIME);
      if (webhooks.length === 0) return { webhooks, deliveries: [], claimedMs };
      const wanted = webhooks.map((webhook) => ({
        webhookId: webhook.id,
        count: Math.min(this.#roomFor(webhook), this.#slots.roomOf(webhook.accountId)),
      }));
      const until = new Date(now.getTime() + CLAIM_MS);
      const deliveries = await claimDeliveries(tx, wanted, { id: newId(), now, until });
      return { webhooks, deliveries, claimedMs };
    });
  }

  #roomFor(webhook: ClaimedWebhook): number {
    return (this.#lanes.get(webhook.id) ?? new EndpointQueue(webhook)).room;
  }

  #pump(queue: EndpointQueue): void {
    this.#putBack(queue.takeLate(performance.now()));
    const { accountId } = queue;
    while (!this.#isEnding && this.#slots.roomOf(accountId) > 0) {
      const startable = queue.begin({ isShort: this.#slots.isCrowded(accountId) });
      if (!startable) break;
      this.#slots.take(accountId);
      void this.#run(queue, startable.webhook, startable.delivery);
    }
  }

  /** Once all that has just been answered is read: many that begin together cost less than one after the other. */
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

  /** An endpoint's speed is remembered for a while. */
  #forgetIdle(): void {
    const nowMs = performance.now();
    for (const [id, queue] of this.#lanes) if (queue.isIdleSince(nowMs - REMEMBERED_MS)) this.#lanes.delete(id);
  }

  async #run(queue: EndpointQueue, webhook: ClaimedWebhook, delivery: ClaimedDelivery): Promise<void> {
    const startMs = performance.now();
    try {
      const outcome = await makeAttempt(this.#services, { url: webhook.url, keys: this.#keysOf(webhook) }, delivery);
      this.#writer.add(outcome);
      if (outcome.isGone) await this.#endLane(webhook.id, queue);
    } catch (error) {
      // Nothing above is expected to throw; the claim runs out and the delivery is tried again.
      this.#services.log.error({ err: error, webhook: webhook.id }, 'an attempt could not be made');
    }
    queue.end(performance.now() - startMs);
    this.#slots.release(webhook.accountId);
    if (this.#isEnding && this.#slots.inUse === 0) this.#quiet.resolve();
    this.#pumpSoon(queue);
  }

  /** Nothing more is begun, here or after the outcome is written. */
  async #endLane(id: string, queue: EndpointQueue): Promise<void> {
    queue.close();
    this.#putBack(queue.takeLate(Number.POSITIVE_INFINITY));
    await this.#writer.flush();
    this.#lanes.delete(id); // it may be enabled again
  }

  /** Once a claim, not once an attempt. */
  #keysOf(webhook: ClaimedWebhook): KeyObject[] {
    let keys = this.#keys.get(webhook);
    if (!keys) {
      const { secrets, clock } = this.#services;
      keys = openSecrets(secrets, { ...webhook, webhookId: webhook.id }, clock.now());
      this.#keys.set(webhook, keys);
    }
    return keys;
  }

  #putBack(deliveries: readonly ClaimedDelivery[]): void {
    if (deliveries.length === 0) return;
    const dueAt = this.#services.clock.now();
    for (const delivery of deliveries)
      this.#writer.add({ delivery, attempt: null, status: 'pending', dueAt, isGone: false });
  }
}
