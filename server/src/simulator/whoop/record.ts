// Common fields of WHOOP's records.
import { MINUTE_MS } from '../../domain/time/durations.ts';
import type { AccountView } from '../account-view.ts';
import { exactNumber } from '../exact-number.ts';
import { nameInteger } from '../names.ts';
import { writeOffset } from '../write-time.ts';

export type WhoopRecord = {
  readonly id: string;
  /** Records are selected and sorted by it. */
  readonly startMs: number;
  readonly body: Readonly<Record<string, unknown>>;
};

type RecordTimes = { readonly start: number; readonly end: number | null; readonly offsetMinutes: number };

const UPLOAD_MS = 2 * MINUTE_MS;
/** Longer than a record takes to appear, so that each is pending at first. */
const SCORING_MS = 25 * MINUTE_MS;
export const KJ_PER_KCAL = 4.184;

export function userIdOf({ account }: AccountView): bigint {
  return nameInteger(63, 'whoop', account.seed, 'user');
}

export function writeInterval({ start, end, offsetMinutes }: RecordTimes) {
  return {
    start: writeUtc(start),
    end: end === null ? null : writeUtc(end),
    timezone_offset: writeOffset(offsetMinutes),
  };
}

/** When it was created, and when it was scored; `score` is called only for scored records. */
export function writeScored<Score>(
  view: AccountView,
  endMs: number,
  { isScorable = true, score }: { readonly isScorable?: boolean; score(): Score },
) {
  const scoredMs = endMs + SCORING_MS;
  const isPending = view.syncedUntilMs < scoredMs;
  return {
    user_id: exactNumber(userIdOf(view)),
    created_at: writeUtc(endMs + UPLOAD_MS),
    updated_at: writeUtc(isPending ? endMs + UPLOAD_MS : scoredMs),
    score_state: isPending ? 'PENDING_SCORE' : isScorable ? 'SCORED' : 'UNSCORABLE',
    ...(!isPending && isScorable && { score: score() }),
  };
}

export function writeUtc(ms: number): string {
  return new Date(ms).toISOString();
}

export function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}
