// Writes the outcomes of attempts, many per transaction, and retries failed writes. If the process dies before an outcome is
// written, the claim expires and the delivery is attempted again.

import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { BatchQueue } from '../../../platform/batch-queue.ts';
import type { Services } from '../../../platform/services.ts';
import { DELIVERY_CLAIM_MS } from './claim-times.ts';
import type { DeliveryOutcome } from './delivery.ts';
import { type EndedWebhook, settleOutcomes } from './delivery-store.ts';

export const FAILING_LIMIT_MS = 5 * DAY_MS; // a webhook with only failures for this long is disabled (gap G-83)
const BATCH_OUTCOMES = 1_000;
const GATHER_MS = 50; // larger batches; nobody waits for a single outcome
const FIRST_PAUSE_MS = 50; // after an error; doubled after each further one
const MAX_PAUSE_MS = 1_000;
const LOCKED_PAUSE_MS = 100; // a lost connection holds its locks for a moment
const MAX_LAST_FAILURES = 3;

type Entry = { readonly outcome: DeliveryOutcome; readonly addedMs: number };

export class OutcomeWriter {
  readonly #services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics' | 'usage'>;
  readonly #ending = new AbortController();
  readonly #queue = new BatchQueue<Entry, void>({
    run: async (entries) => {
      await this.#writeAndRetry(entries);
      return entries.map(() => undefined);
    },
    maxItems: BATCH_OUTCOMES,
    maxInFlight: 1,
    gatherMs: GATHER_MS,
  });
  /** Outcomes whose delivery was locked. They wait here, so that they do not hold up the others. */
  #locked: Entry[] = [];
  #retryTimer: NodeJS.Timeout | null = null;
  #hasEnded = false;

  constructor(services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics' | 'usage'>) {
    this.#services = services;
  }

  add(outcome: DeliveryOutcome): void {
    // Afterwards it is too late: the claim expires.
    if (!this.#hasEnded) void this.#queue.add({ outcome, addedMs: performance.now() });
  }

  /** Waits until everything added so far is written, except outcomes whose delivery is locked. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /** Flushes everything, also locked deliveries, but stops after repeated failures. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.flush();
    for (let tries = 0; this.#locked.length > 0 && tries < MAX_LAST_FAILURES; tries += 1) {
      await delay(LOCKED_PAUSE_MS);
      this.#retryLocked();
      await this.flush();
    }
    this.#hasEnded = true;
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
  }

  /** Without the database nothing can be written, so everything waits. */
  async #writeAndRetry(entries: readonly Entry[]): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    for (let lastFailures = 0; lastFailures < MAX_LAST_FAILURES; ) {
      if (await this.#write(entries)) return;
      if (this.#ending.signal.aborted) lastFailures += 1;
      await delay(pauseMs, undefined, { ref: false, signal: this.#ending.signal }).catch(() => undefined);
      pauseMs = Math.min(MAX_PAUSE_MS, 2 * pauseMs);
    }
  }

  async #write(entries: readonly Entry[]): Promise<boolean> {
    const { db, clock, log } = this.#services;
    const outcomes = entries.map(({ outcome }) => outcome);
    try {
      const failingBefore = new Date(clock.now().getTime() - FAILING_LIMIT_MS);
      const { ended, locked } = await db.asyncCommitTransaction((tx) => settleOutcomes(tx, outcomes, failingBefore));
      const isLocked = new Set(locked);
      for (const outcome of outcomes) if (!isLocked.has(outcome)) this.#count(outcome);
      for (const webhook of ended) logDisabled(this.#services, webhook);
      if (locked.length > 0) this.#retryLater(entries.filter(({ outcome }) => isLocked.has(outcome)));
      return true;
    } catch (error) {
      log.warn({ err: error, outcomes: outcomes.length }, 'could not write delivery outcomes; will retry');
      return false;
    }
  }

  #count({ attempt, status, delivery }: DeliveryOutcome): void {
    if (attempt === null) return;
    const { metrics, usage } = this.#services;
    const isSuccess = status === 'succeeded';
    metrics.observeAttempt(isSuccess ? 'succeeded' : 'failed', attempt.durationMs / 1_000);
    const counted = { n: 1, bad: isSuccess ? 0 : 1, ms: attempt.durationMs };
    usage.count(delivery.tenant, 'delivery', delivery.webhookId, counted);
  }

  #retryLater(entries: readonly Entry[]): void {
    this.#locked.push(...entries);
    this.#retryTimer ??= setTimeout(() => this.#retryLocked(), LOCKED_PAUSE_MS).unref();
  }

  /** An outcome that is locked for longer than its claim is dropped: the delivery is attempted again. */
  #retryLocked(): void {
    if (this.#retryTimer !== null) clearTimeout(this.#retryTimer);
    this.#retryTimer = null;
    const oldestMs = performance.now() - DELIVERY_CLAIM_MS;
    const [dropped, kept] = [[] as Entry[], [] as Entry[]];
    for (const entry of this.#locked) (entry.addedMs < oldestMs ? dropped : kept).push(entry);
    this.#locked = [];
    if (dropped.length > 0)
      this.#services.log.warn({ outcomes: dropped.length }, 'dropped delivery outcomes: their deliveries stay locked');
    for (const entry of kept) void this.#queue.add(entry);
  }
}

function logDisabled({ log }: Pick<Services, 'log'>, { id, accountId, environment, ends }: EndedWebhook): void {
  const why = ends === 'gone' ? 'the receiver answered 410' : 'every attempt failed for five days';
  log.warn({ webhook: id, account: accountId, environment, reason: ends }, `webhook disabled: ${why}`);
}
