// Time limits of requests. A controller and a timer for each request cost a twentieth of a fetch, so requests that begin at about
// the same time share them.

/** `signal` is aborted when the time is over. */
export type TimeLimit = { readonly signal: AbortSignal; end(): void };

/** Limits each wait for data instead of the whole response. The first wait has begun. */
export type WaitLimit = TimeLimit & { beginWait(): void; endWait(): void };

/** A shared limit may be this part longer than asked for, never shorter. */
const TOLERANCE = 1 / 64;
/** Node 18 to 22 keep a listener per request until a garbage collection, and warn at 1,500. */
const MAX_REQUESTS = 100;
/** Timers of a longer time fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A group of requests that end together if they take too long. */
class SharedLimit implements TimeLimit {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #openUntilMs = 0;
  #requests = 0;
  #running = 0;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** False: the request needs another group. */
  begin(nowMs: number): boolean {
    if (this.#requests === MAX_REQUESTS || this.signal.aborted) return false;
    if (this.#running === 0) this.#start(nowMs);
    else if (nowMs > this.#openUntilMs) return false;
    this.#requests += 1;
    this.#running += 1;
    return true;
  }

  /** Without a running request there is no timer, which would keep a process from ending. */
  end(): void {
    this.#running -= 1;
    if (this.#running === 0) clearTimeout(this.#timer);
  }

  #start(nowMs: number): void {
    const toleranceMs = this.#timeoutMs * TOLERANCE;
    this.#openUntilMs = nowMs + toleranceMs;
    this.#timer = startTimer(() => this.#controller.abort(), this.#timeoutMs + toleranceMs);
  }
}

/** Returns the limit of a request that begins now. */
export function createTimeLimits(timeoutMs: number, now = () => performance.now()): () => TimeLimit {
  let group = new SharedLimit(timeoutMs);
  return () => {
    const nowMs = now();
    if (!group.begin(nowMs)) {
      group = new SharedLimit(timeoutMs);
      group.begin(nowMs);
    }
    return group;
  };
}

/** For a call that its caller can abort. The reason of `caller` is passed on. */
export function createOwnLimit(timeoutMs: number, caller?: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const timer = startTimer(() => controller.abort(), timeoutMs);
  const abort = () => controller.abort(caller?.reason);
  caller?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    },
  };
}

export function createWaitLimit(timeoutMs: number, caller?: AbortSignal): WaitLimit {
  const controller = new AbortController();
  const abort = () => controller.abort(caller?.reason);
  caller?.addEventListener('abort', abort, { once: true });
  const start = () => startTimer(() => controller.abort(), timeoutMs);
  let timer = start();
  return {
    signal: controller.signal,
    beginWait() {
      timer = start();
    },
    endWait: () => clearTimeout(timer),
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    },
  };
}

function startTimer(abort: () => void, ms: number): ReturnType<typeof setTimeout> {
  return setTimeout(abort, Math.min(ms, MAX_TIMER_MS));
}
