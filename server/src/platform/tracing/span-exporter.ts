// Sends finished spans to the collector in batches. The memory is bounded, and an unreachable collector costs only spans.
import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '../../domain/time/durations.ts';
import type { Outbound } from '../outbound/index.ts';
import { encodeSpans, type Span, type SpanAttributes } from './span.ts';

export type SpanExporter = {
  add(span: Span): void;
  /** Sends what waits; never rejects. */
  flush(): Promise<void>;
  stop(): Promise<void>;
};

type ExporterOptions = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: SpanAttributes;
  readonly outbound: Pick<Outbound, 'close' | 'post'>;
  /** Spans that were sent, or dropped because the collector is unreachable or too slow. */
  readonly count: (outcome: 'sent' | 'dropped', spans: number) => void;
};

const INTERVAL_MS = 5 * SECOND_MS;
const TIMEOUT_MS = 10 * SECOND_MS;
const STOP_TIMEOUT_MS = 2 * SECOND_MS; // a stop does not wait longer for an unreachable collector
const BATCH_SPANS = 512;
const MAX_WAITING_SPANS = 4_096; // some 2 MB

export function createSpanExporter({ url, headers, resource, outbound, count }: ExporterOptions): SpanExporter {
  let waiting: Span[] = [];
  let sending: Promise<void> | null = null;

  async function sendBatch(): Promise<void> {
    const batch = waiting.slice(0, BATCH_SPANS);
    waiting = waiting.slice(BATCH_SPANS);
    const body = encodeSpans(batch, resource);
    const content = { headers: { 'content-type': 'application/json', ...headers }, body, timeoutMs: TIMEOUT_MS };
    const answer = await outbound.post(url, content);
    const isSent = answer.ok && answer.status >= 200 && answer.status < 300;
    count(isSent ? 'sent' : 'dropped', batch.length);
  }

  /** One request at a time. Spans that finish meanwhile wait for the next one. */
  async function sendAll(): Promise<void> {
    while (waiting.length > 0) await sendBatch();
  }

  function flush(): Promise<void> {
    sending ??= sendAll()
      .catch(() => undefined)
      .finally(() => {
        sending = null;
      });
    return sending;
  }

  const timer = setInterval(() => void flush(), INTERVAL_MS).unref();
  return {
    add(span) {
      if (waiting.length >= MAX_WAITING_SPANS) return count('dropped', 1);
      waiting.push(span);
      if (waiting.length >= BATCH_SPANS) void flush();
    },
    flush,
    async stop() {
      clearInterval(timer);
      await Promise.race([flush(), delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
      await outbound.close(); // aborts the request in flight
    },
  };
}
