// Cuts connections whose server no longer answers, without cutting statements that take long: after a few seconds without an answer it
// asks the server whether the backend still runs. Does not use the driver's query_timeout, whose callbacks keep all rows in memory
// until the next full garbage collection.
import { setTimeout as delay } from 'node:timers/promises';
import type { Backends, DriverClient } from './ask-host.ts';
import type { DatabaseHost } from './database-url.ts';

type SilenceLimits = {
  /** Without an answer for this long, ask the server. */
  readonly silentMs: number;
  /** For a statement, even if its backend runs: the server ends it earlier. */
  readonly answerMs: number;
  /** For the caller of a commit that waits for a standby; the connection stays until the server answers. */
  readonly commitMs: number;
};

/** Null: unknown. A connection that is newer than the question is not in its answer. Rejects if the host does not answer. */
export type ListBackends = (
  client: DriverClient,
) => Promise<{ readonly backends: Backends | null; readonly askedMs: number }>;

type Options = SilenceLimits & {
  readonly listBackends: ListBackends;
  onLost(client: DriverClient): void;
};

export type SilenceWatch = {
  observe(client: DriverClient): void;
  /** Calls `giveUp` if the client's commit waits for a standby too long. */
  whenHeld(client: object, giveUp: (() => void) | null): void;
  /** Cuts the connections to all other hosts. */
  keepOnly(host: DatabaseHost): void;
  /** From now on, waiting for a standby has the limit of a statement, so that the process can stop. */
  stopHolding(): void;
};

const WAITS_FOR_STANDBY = 'SyncRep';
const MAX_PAUSE_MS = 15_000; // a migration can be silent for an hour

export function createSilenceWatch(options: Options): SilenceWatch {
  const { silentMs, answerMs, commitMs } = options;
  const givers = new WeakMap<object, () => void>();
  const connectedMs = new WeakMap<DriverClient, number>();
  const open = new Set<DriverClient>();
  const stopping = new AbortController();

  function cut(client: DriverClient, reason = 'Query read timeout'): void {
    client.connection.stream.destroy(new Error(reason));
  }

  /** Waits until the server answers, or cuts the connection. */
  async function judge(client: DriverClient): Promise<void> {
    const sinceMs = performance.now() - silentMs;
    const answered = new AbortController();
    const { stream } = client.connection;
    const end = () => answered.abort();
    stream.once('data', end).once('close', end);
    answered.signal.addEventListener('abort', () => stream.off('data', end).off('close', end), { once: true });
    for (let pauseMs = silentMs; !answered.signal.aborted; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const state = await readState(client);
      if (answered.signal.aborted) return;
      const elapsedMs = performance.now() - sinceMs;
      const isHeld = state === 'held' && !stopping.signal.aborted;
      const limitMs = isHeld ? commitMs : answerMs;
      if (state === 'lost' || (!isHeld && elapsedMs >= limitMs)) return cut(client);
      if (isHeld && elapsedMs >= limitMs) givers.get(client)?.();
      const leftMs = elapsedMs < limitMs ? limitMs - elapsedMs : MAX_PAUSE_MS;
      const signal = isHeld ? AbortSignal.any([answered.signal, stopping.signal]) : answered.signal;
      await delay(Math.min(pauseMs, leftMs), undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  async function readState(client: DriverClient): Promise<'lives' | 'held' | 'lost'> {
    const others = () =>
      [...open].filter((other) => other !== client && other.host === client.host && other.port === client.port);
    try {
      const { backends, askedMs } = await options.listBackends(client);
      if (backends === null || (connectedMs.get(client) ?? askedMs) >= askedMs) return 'lives';
      for (const other of others())
        if ((connectedMs.get(other) ?? askedMs) < askedMs && !livesIn(backends, other)) cut(other);
      if (!livesIn(backends, client)) return lose(client);
      return backends.get(client.processID ?? 0) === WAITS_FOR_STANDBY ? 'held' : 'lives';
    } catch {
      for (const other of others()) if (other.readyForQuery) cut(other);
      return lose(client);
    }
  }

  function lose(client: DriverClient): 'lost' {
    options.onLost(client);
    return 'lost';
  }

  return {
    observe(client) {
      const { stream } = client.connection;
      let isJudged = false;
      connectedMs.set(client, performance.now());
      open.add(client);
      client.once('end', () => open.delete(client));
      stream.setTimeout(silentMs);
      stream.on('timeout', () => {
        if (client.readyForQuery || isJudged) return;
        isJudged = true;
        void judge(client).finally(() => {
          isJudged = false;
        });
      });
    },
    whenHeld: (client, giveUp) => void (giveUp ? givers.set(client, giveUp) : givers.delete(client)),
    keepOnly({ host, port }) {
      for (const client of open)
        if (client.host !== host || client.port !== port) cut(client, 'Connection terminated: another host took over');
    },
    stopHolding: () => stopping.abort(),
  };
}

function livesIn(backends: Backends, { processID }: DriverClient): boolean {
  return processID !== null && backends.has(processID);
}
