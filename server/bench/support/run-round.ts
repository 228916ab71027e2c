// One round of load: a fixed number of callers, each repeating its call, until the time or count limit is reached.
import { quantile } from './statistics.ts';

export type RoundLimits = { readonly callers: number; readonly seconds: number; readonly maxCalls: number };
export type Round = {
  readonly perSecond: number;
  readonly calls: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
};

export async function runRound(limits: RoundLimits, call: (caller: number) => Promise<void>): Promise<Round> {
  const latencies = new Float64Array(limits.maxCalls);
  const startMs = performance.now();
  const endMs = startMs + limits.seconds * 1000;
  let begun = 0;
  let calls = 0;
  const repeat = async (caller: number) => {
    for (let nowMs = startMs; nowMs < endMs && begun < limits.maxCalls; ) {
      begun += 1;
      await call(caller);
      const answeredMs = performance.now();
      latencies[calls++] = answeredMs - nowMs;
      nowMs = answeredMs;
    }
  };
  await Promise.all(Array.from({ length: limits.callers }, (_, caller) => repeat(caller)));
  const seconds = (performance.now() - startMs) / 1000;
  const sorted = latencies.subarray(0, calls).sort();
  return { perSecond: calls / seconds, calls, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}
