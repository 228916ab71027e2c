// One endpoint's deliveries in the hands of a dispatcher: some under way, some waiting for their turn. How many are taken at a
// time follows the endpoint's speed, so that a fast one is not kept waiting for the database and a slow one takes little.
import { BEGIN_WITHIN_MS } from './claim-times.ts';
import type { ClaimedDelivery, ClaimedWebhook } from './delivery.ts';

const MAX_UNDER_WAY = 8;
/** Of an endpoint that fails, is slow, or is not known yet: many of them must not fill the places of others. */
const MAX_UNDER_WAY_CAREFUL = 2;
/** The same where the account has used up most of its slots: all the endpoints it can have do not fill its share then. */
const MAX_UNDER_WAY_SHORT = 1;
const SLOW_MS = 1_000;
const MAX_HELD = 256;
const HELD_FOR_MS = 250; // as many are held as are done in this time: several claims long, and well below BEGIN_WITHIN_MS

type Waiting = { readonly delivery: ClaimedDelivery; readonly beginBeforeMs: number };
export type StartableDelivery = { readonly webhook: ClaimedWebhook; readonly delivery: ClaimedDelivery };

export class EndpointQueue {
  #webhook: ClaimedWebhook;
  readonly #waiting: Waiting[] = [];
  #underWay = 0;
  #typicalMs = HELD_FOR_MS;
  #isKnown = false;
  #isClosed = false;
  #lastMs = 0;

  constructor(webhook: ClaimedWebhook) {
    this.#webhook = webhook;
  }

  get accountId(): string {
    return this.#webhook.accountId;
  }

  isIdleSince(ms: number): boolean {
    return this.#held() === 0 && this.#lastMs <= ms;
  }

  /** How many more may be claimed. */
  get room(): number {
    return this.#isClosed ? 0 : Math.max(0, this.#limit() - this.#held());
  }

  /** Worth asking the database for more. */
  get isRunningLow(): boolean {
    return this.#held() <= this.#limit() / 2;
  }

  add(webhook: ClaimedWebhook, deliveries: readonly ClaimedDelivery[], claimedMs: number): void {
    this.#webhook = webhook;
    this.#lastMs = claimedMs;
    for (const delivery of deliveries) this.#waiting.push({ delivery, beginBeforeMs: claimedMs + BEGIN_WITHIN_MS });
  }

  /** The next to begin; null if enough are under way or none waits. Where slots are short, an endpoint that may hang has one. */
  begin({ isShort = false }: { readonly isShort?: boolean } = {}): StartableDelivery | null {
    const most = isShort && this.#isCareful() ? MAX_UNDER_WAY_SHORT : this.#mostUnderWay();
    if (this.#isClosed || this.#underWay >= most) return null;
    const next = this.#waiting.shift();
    if (!next) return null;
    this.#underWay += 1;
    return { webhook: this.#webhook, delivery: next.delivery };
  }

  /** Nothing is begun any more. */
  close(): void {
    this.#isClosed = true;
  }

  end(durationMs: number): void {
    this.#underWay -= 1;
    this.#typicalMs = this.#isKnown ? this.#typicalMs + (durationMs - this.#typicalMs) / 8 : durationMs;
    this.#isKnown = true;
  }

  /** Those whose time to begin is over. */
  takeLate(nowMs: number): ClaimedDelivery[] {
    const late: ClaimedDelivery[] = [];
    for (const { delivery, beginBeforeMs } of this.#waiting) {
      if (beginBeforeMs > nowMs) break; // they wait in the order of their claims
      late.push(delivery);
    }
    if (late.length > 0) this.#waiting.splice(0, late.length);
    return late;
  }

  #held(): number {
    return this.#underWay + this.#waiting.length;
  }

  #mostUnderWay(): number {
    return this.#isCareful() ? MAX_UNDER_WAY_CAREFUL : MAX_UNDER_WAY;
  }

  #isCareful(): boolean {
    return this.#webhook.isFailing || !this.#isKnown || this.#typicalMs > SLOW_MS;
  }

  #limit(): number {
    const underWay = this.#mostUnderWay();
    if (this.#webhook.isFailing) return underWay;
    const done = (underWay * HELD_FOR_MS) / Math.max(this.#typicalMs, 1);
    return Math.min(underWay + Math.floor(done), MAX_HELD);
  }
}
