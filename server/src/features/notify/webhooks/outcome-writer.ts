// Writes the outcomes of attempts, many per transaction, and retries failed writes. If the process dies before an outcome is
// written, the claim expires and the delivery is attempted again.

import { setTimeout as delay } from 'node:timers/promises';
import { DAY_MS } from '../../../domain/time/durations.ts';
import { BatchQueue } from '../../../platform/batch-queue.ts';
import type { Services } from '../../../platform/services.ts';
import type { Outcome } from './delivery.ts';
import { type EndedWebhook, settleOutcomes } from './delivery-store.ts';

const FAILING_LIMIT_MS = 5 * DAY_MS; // a webhook with only failures for this long is disabled (gap G-83)
const BATCH_OUTCOMES = 1_000;
const GATHER_MS = 50; // larger batches; nobody waits for a single outcome
const FIRST_PAUSE_MS = 50; // a lost connection holds its locks for a moment; doubled after each failure
const MAX_PAUSE_MS = 1_000;
const MAX_LAST_FAILURES = 3;

export class OutcomeWriter {
  readonly #services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics'>;
  readonly #ending = new AbortController();
  readonly #queue = new BatchQueue<Outcome, void>({
    run: async (outcomes) => {
      await this.#writeAndRetry(outcomes);
      return outcomes.map(() => undefined);
    },
    maxItems: BATCH_OUTCOMES,
    maxInFlight: 1,
    gatherMs: GATHER_MS,
  });
  #hasEnded = false;

  constructor(services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics'>) {
    this.#services = services;
  }

  add(outcome: Outcome): void {
    if (!this.#hasEnded) void this.#queue.add(outcome); // afterwards it is too late: the claim expires
  }

  /** Waits until everything added so far is written. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /** Flushes, but gives up after repeated failures. */
  async end(): Promise<void> {
    this.#ending.abort();
    await this.flush();
    this.#hasEnded = true;
  }

  async #writeAndRetry(outcomes: readonly Outcome[]): Promise<void> {
    let left = outcomes;
    let pauseMs = FIRST_PAUSE_MS;
    for (let lastFailures = 0; lastFailures < MAX_LAST_FAILURES; ) {
      left = await this.#write(left);
      if (left.length === 0) return;
      if (this.#ending.signal.aborted) {
        lastFailures += 1;
        await delay(FIRST_PAUSE_MS);
      } else {
        await this.#pause(pauseMs);
        pauseMs = Math.min(MAX_PAUSE_MS, 2 * pauseMs);
      }
    }
  }

  /** Ends early when the writer does. */
  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { ref: false, signal: this.#ending.signal }).catch(() => undefined);
  }

  /** Returns those that are not written: all after an error, otherwise those whose delivery is locked. */
  async #write(outcomes: readonly Outcome[]): Promise<readonly Outcome[]> {
    const { db, clock, log, metrics } = this.#services;
    try {
      const failingBefore = new Date(clock.now().getTime() - FAILING_LIMIT_MS);
      const { ended, locked } = await db.asyncCommitTransaction((tx) => settleOutcomes(tx, outcomes, failingBefore));
      for (const outcome of outcomes) {
        const { attempt, status } = outcome;
        if (attempt && !locked.includes(outcome))
          metrics.observeAttempt(status === 'succeeded' ? 'succeeded' : 'failed', attempt.durationMs / 1_000);
      }
      for (const webhook of ended) logDisabled(this.#services, webhook);
      return locked;
    } catch (error) {
      log.warn({ err: error, outcomes: outcomes.length }, 'could not write delivery outcomes; will retry');
      return outcomes;
    }
  }
}

function logDisabled({ log }: Pick<Services, 'log'>, { id, accountId, environment, ends }: EndedWebhook): void {
  const why = ends === 'gone' ? 'the receiver answered 410' : 'every attempt failed for five days';
  log.warn({ webhook: id, account: accountId, environment, reason: ends }, `webhook disabled: ${why}`);
}
