// Work that goes round for as long as the process lives: again at once while there is more, else after a pause or when woken.
// Survives a database that goes away.
import type { Logger } from './log.ts';

export type BackgroundLoop = {
  readonly name: string;
  /** How many rounds have ended, failed ones too. Two more than now: one of them has begun after now. */
  roundsDone(): number;
  /** There is something to do: the pause is over, or the next one is left out. */
  wake(): void;
  /** Waits for the round under way. */
  stop(): Promise<void>;
};

const PAUSE_AFTER_ERROR_MS = 1_000;

export function startLoop(options: {
  readonly name: string;
  readonly pauseMs: number;
  /** The least between two rounds, so that what comes meanwhile is done in one. */
  readonly restMs?: number;
  readonly log: Logger;
  /** One round; true if there is more to do at once. */
  round(): Promise<boolean>;
}): BackgroundLoop {
  const { restMs = 0 } = options;
  let isStopping = false;
  let isWoken = false;
  let isFailing = false;
  let roundsDone = 0;
  let pause: Pause | null = null;

  async function goRound(): Promise<number> {
    isWoken = false;
    try {
      const hasMore = await options.round();
      isFailing = false;
      return hasMore || isWoken ? restMs : options.pauseMs;
    } catch (error) {
      // Once an outage, not once a second.
      const level = isFailing ? 'debug' : 'warn';
      options.log[level]({ err: error, loop: options.name }, 'a round failed and will be repeated');
      isFailing = true;
      return PAUSE_AFTER_ERROR_MS;
    }
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const pauseMs = await goRound();
      roundsDone += 1;
      if (isStopping) return;
      pause = startPause(pauseMs);
      await pause.over;
      pause = null;
    }
  }

  const ended = run();
  return {
    name: options.name,
    roundsDone: () => roundsDone,
    wake() {
      isWoken = true;
      if (!isFailing) pause?.endAfter(restMs);
    },
    stop() {
      isStopping = true;
      pause?.endAfter(0);
      return ended;
    },
  };
}

type Pause = { readonly over: Promise<void>; endAfter(ms: number): void };

function startPause(ms: number): Pause {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const startedMs = performance.now();
  let endsMs = startedMs + ms;
  let timer = setTimeout(resolve, ms);
  return {
    over,
    /** After so much of it, if that is sooner. */
    endAfter(sooner) {
      if (startedMs + sooner >= endsMs) return;
      endsMs = startedMs + sooner;
      clearTimeout(timer);
      timer = setTimeout(resolve, Math.max(0, endsMs - performance.now()));
    },
  };
}
