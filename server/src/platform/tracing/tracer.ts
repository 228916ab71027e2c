// Records spans of requests, statements, outgoing requests and jobs. Exists only if a collector is configured.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { SpanAttributes, SpanKind } from './span.ts';
import type { SpanExporter } from './span-exporter.ts';
import { createContext, type SpanContext } from './trace-context.ts';

export type OpenSpan = {
  readonly context: SpanContext;
  end(result: { readonly name?: string; readonly attributes: SpanAttributes; readonly isError: boolean }): void;
};

export type Tracer = {
  /** Null: no span is open. */
  current(): SpanContext | null;
  /** `parent`: null begins a trace. */
  open(name: string, kind: SpanKind, parent: SpanContext | null): OpenSpan;
  /** Runs work whose spans become children of this one. */
  within<Result>(context: SpanContext, work: () => Result): Result;
  /** Runs work in a span below the current one. A failure is recorded by its code, never by its message. */
  span<Result>(name: string, kind: SpanKind, attributes: SpanAttributes, work: () => Promise<Result>): Promise<Result>;
  flush(): Promise<void>;
  stop(): Promise<void>;
};

export function createTracer(exporter: SpanExporter, sampleRatio: number): Tracer {
  const storage = new AsyncLocalStorage<SpanContext>();
  const current = () => storage.getStore() ?? null;

  function open(name: string, kind: SpanKind, parent: SpanContext | null): OpenSpan {
    const context = createContext(parent, sampleRatio);
    const startMs = nowMs();
    return {
      context,
      end({ name: finalName = name, attributes, isError }) {
        if (!context.isSampled) return;
        const parentSpanId = parent?.spanId ?? null;
        exporter.add({ context, parentSpanId, name: finalName, kind, startMs, endMs: nowMs(), attributes, isError });
      },
    };
  }

  return {
    current,
    open,
    within: (context, work) => storage.run(context, work),
    async span(name, kind, attributes, work) {
      const span = open(name, kind, current());
      try {
        const result = await storage.run(span.context, work);
        span.end({ attributes, isError: false });
        return result;
      } catch (error) {
        span.end({ attributes: { ...attributes, 'error.type': codeOf(error) }, isError: true });
        throw error;
      }
    },
    flush: exporter.flush,
    stop: exporter.stop,
  };
}

/** Finer than the system clock, and not moved by it during a span. */
const nowMs = (): number => performance.timeOrigin + performance.now();

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
