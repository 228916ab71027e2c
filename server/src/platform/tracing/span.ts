// A finished span, and its form in OTLP/HTTP JSON.
import type { SpanContext } from './trace-context.ts';

export type SpanKind = 'internal' | 'server' | 'client' | 'consumer';
/** Never a value, an ID or a token: routes, statement names, hosts, statuses. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

export type Span = {
  readonly context: SpanContext;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  /** Since 1970. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly isError: boolean;
};

const KINDS: Readonly<Record<SpanKind, number>> = { internal: 1, server: 2, client: 3, consumer: 5 };
const ERROR = 2;

/** The body of an export request. */
export function encodeSpans(spans: readonly Span[], resource: SpanAttributes): string {
  const scope = { name: 'tributary', version: String(resource['service.version'] ?? '') };
  return JSON.stringify({
    resourceSpans: [
      { resource: { attributes: encodeAttributes(resource) }, scopeSpans: [{ scope, spans: spans.map(encodeSpan) }] },
    ],
  });
}

function encodeSpan({ context, parentSpanId, name, kind, startMs, endMs, attributes, isError }: Span) {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentSpanId !== null && { parentSpanId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(endMs),
    attributes: encodeAttributes(attributes),
    status: isError ? { code: ERROR } : {},
  };
}

/** As text, because a number cannot hold nanoseconds since 1970. */
function toNanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}

function encodeAttributes(attributes: SpanAttributes) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(Math.trunc(value)) },
  }));
}
