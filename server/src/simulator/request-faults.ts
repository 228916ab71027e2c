// The accidents that can happen to any request.
import type { RawReply } from '../platform/http/raw-route.ts';
import type { Dialect } from './dialect.ts';
import type { FaultBook, FaultPlace } from './fault-book.ts';
import { type RateUse, spend } from './rate-meter.ts';

const DEFAULT_DELAY_MS = 5_000;

export type AccidentDesk = {
  readonly dialect: Dialect;
  readonly faults: FaultBook;
  wait(ms: number): Promise<void>;
};

/** `answer` is not asked where the request never gets that far. */
export async function answerWithFaults(
  { dialect, faults, wait }: AccidentDesk,
  place: FaultPlace,
  uses: readonly RateUse[],
  answer: () => RawReply | Promise<RawReply>,
): Promise<RawReply> {
  const slow = faults.take('slow', place);
  if (slow !== null) await wait(slow.delay_ms ?? DEFAULT_DELAY_MS);
  if (faults.take('unavailable', place) !== null) return dialect.refuse('unavailable', uses);
  if (faults.take('rate_limited', place) !== null) {
    const spent = spend(uses);
    const refused = dialect.refuse('rate_limited', spent);
    return { ...refused, headers: { ...dialect.rateHeaders(spent), ...refused.headers } };
  }
  const reply = await answer();
  return faults.take('half_page', place) === null ? reply : cut(reply);
}

function cut(reply: RawReply): RawReply {
  const body = Buffer.from(reply.body ?? '');
  return { ...reply, body: body.subarray(0, Math.floor(body.length / 2)) };
}
