// A loop that writes what was collected in memory, periodically and a last time when it is stopped.
import { type BackgroundLoop, startLoop } from './background-loop.ts';
import type { Logger } from './log.ts';

export function startFlushLoop(options: {
  readonly name: string;
  readonly everyMs: number;
  readonly log: Logger;
  flush(): Promise<void>;
}): BackgroundLoop {
  const { name, everyMs, log, flush } = options;
  const round = async () => {
    await flush();
    return false;
  };
  const loop = startLoop({ name, pauseMs: everyMs, log, round });
  const stop = async () => {
    await loop.stop();
    await flush().catch((error: unknown) => log.debug({ err: error, loop: name }, 'the last entries were not saved'));
  };
  return { ...loop, stop };
}

/** When a flush ends, everything that was recorded before it is written, also what another flush was still writing when it began. */
export function oneAtATime(flush: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.catch(() => undefined).then(flush); // the caller of the flush before handles its failure
    return last;
  };
}
