// A clean stop: what begins it, and the time it may take.
import { SECOND_MS } from '../domain/time/durations.ts';
import type { Terminal } from './terminal.ts';

export type StopRequest = { readonly signal: AbortSignal; readonly requested: Promise<void>; request(): void };

const FORCE_STOP_AFTER_MS = 500; // one Ctrl-C arrives twice, from the terminal and from npm
const STOP_LIMIT_MS = 28_000; // below the usual 30 s of supervisors; draining comes on top

/** The first signal requests a clean stop; a clearly later one ends the process immediately. */
export function listenForStop(terminal: Terminal): StopRequest {
  const controller = new AbortController();
  let requestedMs = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const request = () => {
    requestedMs = performance.now();
    controller.abort();
    resolve();
  };
  terminal.onStopSignal(() => {
    if (!controller.signal.aborted) request();
    else if (performance.now() - requestedMs > FORCE_STOP_AFTER_MS) terminal.exitNow(1);
  });
  return { signal: controller.signal, requested: promise, request };
}

export function stopLimitMs({ drainSeconds }: { readonly drainSeconds: number }): number {
  return drainSeconds * SECOND_MS + STOP_LIMIT_MS;
}
