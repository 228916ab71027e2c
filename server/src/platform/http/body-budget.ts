// Limits the memory that large request bodies use in this process; bodies beyond the limit are rejected. A share (an account,
// or an address without a credential) can never hold more than is still free, so a new share always finds room.
import { SECOND_MS } from '../../domain/time/durations.ts';
import { AppError } from '../errors.ts';

type BodyHold = {
  /** Null: reserved. */
  take(bytes: number): AppError | null;
  /** Releases everything; safe to call again. */
  release(): void;
};

export type BodyBudget = { open(share: string): BodyHold };

type BodyBudgetLimits = { readonly totalBytes: number; readonly freeBytes: number };

const BODY_BUDGET: BodyBudgetLimits = {
  totalBytes: 64 * 1_048_576, // one account has half of it: four uploads of the largest size, or hundreds of ordinary ones
  freeBytes: 65_536, // of each body: ordinary calls are never refused for what large ones hold
};
const RETRY_AFTER_MS = SECOND_MS; // most bodies are held for less time

export function createBodyBudget({ totalBytes, freeBytes }: BodyBudgetLimits = BODY_BUDGET): BodyBudget {
  const shares = new Map<string, number>();
  let total = 0;
  const add = (share: string, bytes: number) => {
    total += bytes;
    const held = (shares.get(share) ?? 0) + bytes;
    if (held === 0) shares.delete(share);
    else shares.set(share, held);
  };
  return {
    open(share) {
      let size = 0;
      let held = 0;
      return {
        take(bytes) {
          size += bytes;
          const wanted = Math.max(0, size - freeBytes) - held;
          if (wanted === 0) return null;
          const free = totalBytes - total - wanted;
          if ((shares.get(share) ?? 0) + wanted > free)
            return new AppError('overloaded', { retryAfterMs: RETRY_AFTER_MS });
          add(share, wanted);
          held += wanted;
          return null;
        },
        release() {
          if (held > 0) add(share, -held);
          held = 0;
        },
      };
    },
  };
}
