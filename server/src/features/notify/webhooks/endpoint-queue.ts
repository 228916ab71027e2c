// The deliveries of one endpoint that a dispatcher claimed: some in flight, some waiting. The number of claimed deliveries
// follows the endpoint's speed, so that a fast endpoint does not wait for the database and a slow one claims little.
import { BEGIN_WITHIN_MS } from './claim-times.ts';
import type { ClaimedDelivery, ClaimedWebhook } from './delivery.ts';

const MAX_IN_FLIGHT = 8;
/** For an endpoint that fails, is slow, or has not answered yet, so that many such endpoints do not fill all slots. */
const MAX_IN_FLIGHT_CAREFUL = 2;
/** For such an endpoint when its account has few slots left, so that its slow endpoints cannot fill its share. */
const MAX_IN_FLIGHT_SHORT = 1;
const SLOW_MS = 1_000;
const MAX_HELD = 256;
const HELD_FOR_MS = 250; // claims what the endpoint processes in this time: longer than several claims, well below BEGIN_WITHIN_MS

type Waiting = { readonly delivery: ClaimedDelivery; readonly beginBeforeMs: number };
type StartableDelivery = { readonly webhook: ClaimedWebhook; readonly delivery: ClaimedDelivery };

export class EndpointQueue {
  #webhook: ClaimedWebhook;
  readonly #waiting: Waiting[] = [];
  #inFlight = 0;
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

  /** How many more deliveries may be claimed. */
  get room(): number {
    return this.#isClosed ? 0 : Math.max(0, this.#limit() - this.#held());
  }

  /** Whether the dispatcher should claim more. */
  get isRunningLow(): boolean {
    return this.#held() <= this.#limit() / 2;
  }

  add(webhook: ClaimedWebhook, deliveries: readonly ClaimedDelivery[], claimedMs: number): void {
    this.#webhook = webhook;
    this.#lastMs = claimedMs;
    for (const delivery of deliveries) this.#waiting.push({ delivery, beginBeforeMs: claimedMs + BEGIN_WITHIN_MS });
  }

  /** The next delivery to start; null if none waits or enough are in flight. `isShort`: the account has few slots left. */
  begin({ isShort = false }: { readonly isShort?: boolean } = {}): StartableDelivery | null {
    const most = isShort && this.#isCareful() ? MAX_IN_FLIGHT_SHORT : this.#mostInFlight();
    if (this.#isClosed || this.#inFlight >= most) return null;
    const next = this.#waiting.shift();
    if (!next) return null;
    this.#inFlight += 1;
    return { webhook: this.#webhook, delivery: next.delivery };
  }

  /** No further delivery starts. */
  close(): void {
    this.#isClosed = true;
  }

  end(durationMs: number): void {
    this.#inFlight -= 1;
    this.#typicalMs = this.#isKnown ? this.#typicalMs + (durationMs - this.#typicalMs) / 8 : durationMs;
    this.#isKnown = true;
  }

  /** Removes and returns deliveries that did not start in time. */
  takeLate(nowMs: number): ClaimedDelivery[] {
    const late: ClaimedDelivery[] = [];
    for (const { delivery, beginBeforeMs } of this.#waiting) {
      if (beginBeforeMs > nowMs) break; // in the order of their claims
      late.push(delivery);
    }
    if (late.length > 0) this.#waiting.splice(0, late.length);
    return late;
  }

  #held(): number {
    return this.#inFlight + this.#waiting.length;
  }

  #mostInFlight(): number {
    return this.#isCareful() ? MAX_IN_FLIGHT_CAREFUL : MAX_IN_FLIGHT;
  }

  #isCareful(): boolean {
    return this.#webhook.isFailing || !this.#isKnown || this.#typicalMs > SLOW_MS;
  }

  #limit(): number {
    const inFlight = this.#mostInFlight();
    if (this.#webhook.isFailing) return inFlight;
    const done = (inFlight * HELD_FOR_MS) / Math.max(this.#typicalMs, 1);
    return Math.min(inFlight + Math.floor(done), MAX_HELD);
  }
}
