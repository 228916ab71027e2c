// Faults that can affect any request.
import type { RawReply } from '../platform/http/raw-route.ts';
import type { ProviderDialect } from './dialect.ts';
import type { FaultStore, FaultTarget } from './fault-store.ts';
import { type RateUse, spend } from './rate-meter.ts';

const DEFAULT_DELAY_MS = 5_000;

type AccidentContext = {
  readonly dialect: ProviderDialect;
  readonly faults: FaultStore;
  wait(ms: number): Promise<void>;
};

/** `answer` is not called if the request fails before. */
export async function answerWithFaults(
  { dialect, faults, wait }: AccidentContext,
  position: FaultTarget,
  uses: readonly RateUse[],
  answer: () => RawReply | Promise<RawReply>,
): Promise<RawReply> {
  const slow = faults.take('slow', position);
  if (slow !== null) await wait(slow.delay_ms ?? DEFAULT_DELAY_MS);
  if (faults.take('unavailable', position) !== null) return dialect.refuse('unavailable', uses);
  if (faults.take('rate_limited', position) !== null) {
    const spent = spend(uses);
    const refused = dialect.refuse('rate_limited', spent);
    return { ...refused, headers: { ...dialect.rateHeaders?.(spent), ...refused.headers } };
  }
  const reply = await answer();
  return faults.take('half_page', position) === null ? reply : cut(reply);
}

function cut(reply: RawReply): RawReply {
  const body = Buffer.from(reply.body ?? '');
  return { ...reply, body: body.subarray(0, Math.floor(body.length / 2)) };
}
