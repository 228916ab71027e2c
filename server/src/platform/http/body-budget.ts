// How many bytes of request bodies this process holds at once, in all and for each share (an account, or an address without
// a credential). Beyond it new bodies are refused, so that memory stays bounded whatever is sent.
import { AppError } from '../errors.ts';

export type BodyHold = {
  /** Null: taken. */
  take(bytes: number): AppError | null;
  /** Gives everything back; may be called again. */
  release(): void;
};

export type BodyBudget = { open(share: string): BodyHold };

export type BodyBudgetLimits = { readonly totalBytes: number; readonly shareBytes: number };

export const BODY_BUDGET: BodyBudgetLimits = {
  totalBytes: 48 * 1_048_576, // six uploads of the largest size, or hundreds of ordinary ones
  shareBytes: 32 * 1_048_576, // one account never takes all of it
};
const RETRY_AFTER_SECONDS = '1'; // most bodies are held for less

export function createBodyBudget({ totalBytes, shareBytes }: BodyBudgetLimits = BODY_BUDGET): BodyBudget {
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
      let held = 0;
      return {
        take(bytes) {
          if (total + bytes > totalBytes || (shares.get(share) ?? 0) + bytes > shareBytes)
            return new AppError('overloaded', { headers: { 'retry-after': RETRY_AFTER_SECONDS } });
          add(share, bytes);
          held += bytes;
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
