// Writes what came of attempts, many in one transaction. What cannot be written now is written later; what never is, because
// the process died, is attempted again when its claim runs out.
import { setTimeout as delay } from 'node:timers/promises';
import type { Services } from '../../../platform/services.ts';
import type { Outcome } from './delivery.ts';
import { type EndedWebhook, settleOutcomes } from './delivery-store.ts';

const FAILING_LIMIT_MS = 5 * 86_400_000; // nothing but failures for this long ends a webhook (gap G-83)
const MAX_AT_A_TIME = 1_000;
const GATHER_MS = 50; // hardly anybody waits for it, and a hundred cost little more than ten
const PAUSE_AFTER_ERROR_MS = 1_000;
const MAX_TRIES_OF_FLUSH = 3;

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
    if (this.#hasEnded) return; // too late: its claim runs out
    this.#waiting.push(outcome);
    this.#added += 1;
    if (!this.#isAwake) void this.#writeAll();
  }

  /** Waits until what was added so far is written, or it is clear that it cannot be. */
  async flush(): Promise<void> {
    const goal = this.#added;
    for (let failures = 0; this.#written < goal && failures < MAX_TRIES_OF_FLUSH; )
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
      if (this.#waiting.length < MAX_AT_A_TIME) await delay(GATHER_MS);
      if (this.#waiting.length === 0) break;
      if (!(await this.#write())) await delay(PAUSE_AFTER_ERROR_MS, undefined, { ref: false });
    }
    this.#isAwake = false;
  }

  /** One transaction at a time; whoever asks meanwhile shares it. */
  #write(): Promise<boolean> {
    this.#running ??= this.#writeSome().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #writeSome(): Promise<boolean> {
    const { db, clock, log, metrics } = this.#services;
    const some = this.#waiting.splice(0, MAX_AT_A_TIME);
    try {
      const failingBefore = new Date(clock.now().getTime() - FAILING_LIMIT_MS);
      const ended = await db.asyncCommitTransaction((tx) => settleOutcomes(tx, some, failingBefore));
      this.#written += some.length;
      for (const { attempt, status } of some)
        if (attempt)
          metrics.observeAttempt(status === 'succeeded' ? 'succeeded' : 'failed', attempt.durationMs / 1_000);
      for (const webhook of ended) emitEnd(this.#services, webhook);
      return true;
    } catch (error) {
      log.warn({ err: error, outcomes: some.length }, 'outcomes of deliveries could not be written yet');
      this.#waiting.unshift(...some);
      return false;
    }
  }
}

function emitEnd({ log }: Services, { id, accountId, environment, ends }: EndedWebhook): void {
  const why = ends === 'gone' ? 'its receiver answered 410' : 'for five days every attempt failed';
  log.warn({ webhook: id, account: accountId, environment, reason: ends }, `a webhook was disabled: ${why}`);
}
