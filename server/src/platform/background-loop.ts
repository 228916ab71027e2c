// A loop that runs as long as the process: again immediately while there is more work, otherwise after a pause or when woken.
// It survives an outage of the database.
import type { Logger } from './log.ts';

export type BackgroundLoop = {
  readonly name: string;
  /** Completed rounds, including failed ones. Two more than now means that one of them began after now. */
  roundsDone(): number;
  /** Ends the pause, or skips the next one, because there is work. */
  wake(): void;
  /** Waits for the current round. */
  stop(): Promise<void>;
};

const PAUSE_AFTER_ERROR_MS = 1_000;

export function startLoop(options: {
  readonly name: string;
  readonly pauseMs: number;
  /** Minimum time between two rounds, so that work that arrives meanwhile is done in one. */
  readonly restMs?: number;
  readonly log: Logger;
  /** Runs one round. True: there is more work now. */
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
      // Once per outage, not once per second.
      const level = isFailing ? 'debug' : 'warn';
      options.log[level]({ err: error, loop: options.name }, 'round failed, retrying');
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
    /** Ends the pause after this time, if that is sooner. */
    endAfter(sooner) {
      if (startedMs + sooner >= endsMs) return;
      endsMs = startedMs + sooner;
      clearTimeout(timer);
      timer = setTimeout(resolve, Math.max(0, endsMs - performance.now()));
    },
  };
}
