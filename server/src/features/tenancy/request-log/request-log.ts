// Collects calls in memory and writes them once per second. A call is dropped and counted rather than waited for: the log
// must never slow a request down. After an outage a call can be listed twice, if only the answer of the database was lost.
import { SECOND_MS } from '../../../domain/time/durations.ts';
import type { BackgroundLoop } from '../../../platform/background-loop.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db/database.ts';
import { isUnavailable } from '../../../platform/errors.ts';
import { oneAtATime, startFlushLoop } from '../../../platform/flush-loop.ts';
import type { Observe } from '../../../platform/http/observed-request.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Usage } from '../usage/index.ts';
import { callerToLog, credentialIdOf, describeForLog } from './logged-request.ts';
import { addToBatch, joinBatches, listNewBlocks, startBatch } from './request-batch.ts';
import { FIRST_FAILURE } from './request-block.ts';
import type { RequestLogMetrics } from './request-log-metrics.ts';
import { insertBlocks } from './store.ts';

export type RequestLog = {
  record: Observe;
  /** Writes the calls since the last call. If the database is unavailable, the next call writes them. */
  flush(): Promise<void>;
  start(): BackgroundLoop;
};

const FLUSH_INTERVAL_MS = SECOND_MS;
const MAX_WAITING = 10_000; // some seconds of full load, about 5 MB

type Options = {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly usage: Pick<Usage, 'count'>;
  readonly metrics: RequestLogMetrics;
};

export function createRequestLog({ db, clock, log, usage, metrics }: Options): RequestLog {
  let waiting = startBatch();
  let writing = 0;

  const flush = oneAtATime(async () => {
    if (waiting.size === 0) return;
    const batch = waiting;
    waiting = startBatch();
    writing += batch.size;
    try {
      await insertBlocks(db, listNewBlocks(batch));
    } catch (error) {
      if (isUnavailable(error)) waiting = joinBatches(batch, waiting);
      else metrics.countDroppedRequests(batch.size);
      throw error;
    } finally {
      writing -= batch.size;
    }
  });

  return {
    record(request) {
      const caller = callerToLog(request.caller);
      if (caller === null) return;
      const key = caller.kind === 'api_key' ? credentialIdOf(caller) : caller.kind;
      const bad = request.status >= FIRST_FAILURE ? 1 : 0;
      usage.count(caller.tenant, 'request', key, { n: 1, bad, ms: request.ms });
      if (waiting.size + writing < MAX_WAITING)
        addToBatch(waiting, describeForLog(request, caller, clock.now().getTime()));
      else metrics.countDroppedRequests(1);
    },
    flush,
    start: () => startFlushLoop({ name: 'request log', everyMs: FLUSH_INTERVAL_MS, log, flush }),
  };
}
