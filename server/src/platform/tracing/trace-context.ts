// The identity of a span, and the W3C header that carries it between services.
import { randomBytes } from 'node:crypto';

export type SpanContext = {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** False: spans of this trace are not recorded. */
  readonly isSampled: boolean;
};

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const SAMPLED_FLAG = 1;

/** Null: the header is missing or malformed, so that a new trace begins. */
export function parseTraceparent(header: unknown): SpanContext | null {
  const found = typeof header === 'string' ? TRACEPARENT.exec(header) : null;
  if (found === null) return null;
  const [, traceId = '', spanId = '', flags = ''] = found;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED_FLAG) === SAMPLED_FLAG };
}

/** A child belongs to the trace of its parent and is recorded if the parent is. */
export function createContext(parent: SpanContext | null, sampleRatio: number): SpanContext {
  return {
    traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
    spanId: randomBytes(8).toString('hex'),
    isSampled: parent?.isSampled ?? Math.random() < sampleRatio,
  };
}
