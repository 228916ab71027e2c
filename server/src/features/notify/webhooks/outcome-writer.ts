// Writes the outcomes of attempts, many per transaction, and retries failed writes. If the process dies before an outcome is
// written, the claim expires and the delivery is attempted again.

import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { Services } from '../../../platform/services.ts';
import type { Outcome } from './delivery.ts';
import { type EndedWebhook, settleOutcomes } from './delivery-store.ts';

const FAILING_LIMIT_MS = 5 * DAY_MS; // a webhook with only failures for this long is disabled (gap G-83)
const BATCH_OUTCOMES = 1_000;
const GATHER_MS = 50; // larger batches; nobody waits for a single outcome
const PAUSE_AFTER_ERROR_MS = 1_000;
const MAX_FLUSH_FAILURES = 3;

export class OutcomeWriter {
  readonly #services: Services;
  #waiting: Outcome[] = [];
  #added = 0;
  #written = 0;
  #running: Promise<boolean> | null = null;
  #isAwake = false;
  #hasEnded = false;

  constructor(services: Services) {
    this.#services = services;
  }

  add(outcome: Outcome): void {
    if (this.#hasEnded) return; // too late: its claim expires
    this.#waiting.push(outcome);
    this.#added += 1;
    if (!this.#isAwake) void this.#writeAll();
  }

  /** Waits until everything added so far is written, or gives up after repeated failures. */
  async flush(): Promise<void> {
    const goal = this.#added;
    for (let failures = 0; this.#written < goal && failures < MAX_FLUSH_FAILURES; )
      if (!(await this.#write())) failures += 1;
  }

  async end(): Promise<void> {
    await this.flush();
    this.#hasEnded = true;
    this.#waiting = [];
  }

  async #writeAll(): Promise<void> {
    this.#isAwake = true;
    for (;;) {
      if (this.#waiting.length < BATCH_OUTCOMES) await delay(GATHER_MS);
      if (this.#waiting.length === 0) break;
      if (!(await this.#write())) await delay(PAUSE_AFTER_ERROR_MS, undefined, { ref: false });
    }
    this.#isAwake = false;
  }

  /** One transaction at a time; concurrent callers share it. */
  #write(): Promise<boolean> {
    this.#running ??= this.#writeSome().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #writeSome(): Promise<boolean> {
    const { db, clock, log, metrics } = this.#services;
    const some = this.#waiting.splice(0, BATCH_OUTCOMES);
    try {
      const failingBefore = new Date(clock.now().getTime() - FAILING_LIMIT_MS);
      const ended = await db.asyncCommitTransaction((tx) => settleOutcomes(tx, some, failingBefore));
      this.#written += some.length;
      for (const { attempt, status } of some)
        if (attempt)
          metrics.observeAttempt(status === 'succeeded' ? 'succeeded' : 'failed', attempt.durationMs / 1_000);
      for (const webhook of ended) logDisabled(this.#services, webhook);
      return true;
    } catch (error) {
      log.warn({ err: error, outcomes: some.length }, 'could not write delivery outcomes; will retry');
      this.#waiting.unshift(...some);
      return false;
    }
  }
}

function logDisabled({ log }: Services, { id, accountId, environment, ends }: EndedWebhook): void {
  const why = ends === 'gone' ? 'the receiver answered 410' : 'every attempt failed for five days';
  log.warn({ webhook: id, account: accountId, environment, reason: ends }, `webhook disabled: ${why}`);
}
