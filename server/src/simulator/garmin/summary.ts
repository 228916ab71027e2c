// Common fields of Garmin's summaries: the user, an id that stays the same when sent again, UTC seconds with an offset.
import { HOUR_MS } from '../../domain/time/durations.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import { nameHex } from '../names.ts';
import { offsetMinutesAt } from '../write-time.ts';

/** Serialized only when sent, because most summaries are compared every minute and have not changed. */
export type Summary = {
  readonly id: string;
  /** Backfills select by it. */
  readonly startMs: number;
  /** Changes with the content. Null: derived from the content. */
  readonly version: string | null;
  write(): Readonly<Record<string, unknown>>;
};

export type TimedValue = { readonly ms: number; readonly value: number };

export function userIdOf({ account }: AccountView): string {
  return nameHex(32, 'garmin', account.seed, 'user');
}

/** `tag` distinguishes summaries that begin at the same time. */
export function makeSummary(
  view: AccountView,
  tag: string,
  startMs: number,
  fields: () => Readonly<Record<string, unknown>>,
  version: string | null = null,
): Summary {
  const summaryId = `x${ownerOf(view)}-${toSeconds(startMs).toString(16)}-${tag}`;
  return { id: summaryId, startMs, version, write: () => ({ userId: userIdOf(view), summaryId, ...fields() }) };
}

/** For summaries that grow during the day: webhooks are sent hourly, and again after a late night. */
export function versionOfDay({ isOver, untilMs, series }: AccountDay): string {
  return isOver ? `${series('heart_rate').length} beats` : `hour ${Math.floor(untilMs / HOUR_MS)}`;
}

function ownerOf({ account }: AccountView): string {
  return nameHex(7, 'garmin', account.seed, 'summaries');
}

export function timesOf({ account }: AccountView, startMs: number, endMs: number) {
  return {
    startTimeInSeconds: toSeconds(startMs),
    startTimeOffsetInSeconds: offsetMinutesAt(account.zone, startMs) * 60,
    durationInSeconds: toSeconds(endMs) - toSeconds(startMs),
  };
}

/** For single measurements. */
export function momentOf({ account }: AccountView, ms: number) {
  return {
    measurementTimeInSeconds: toSeconds(ms),
    measurementTimeOffsetInSeconds: offsetMinutesAt(account.zone, ms) * 60,
  };
}

/** `{"15": 58}`: seconds after the start. */
export function byOffset(startMs: number, values: readonly TimedValue[]): Record<string, number> {
  return Object.fromEntries(values.map(({ ms, value }) => [toSeconds(ms) - toSeconds(startMs), value]));
}

export function toSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}

export function sumOf<One>(list: readonly One[], read: (one: One) => number): number {
  return list.reduce((sum, one) => sum + read(one), 0);
}
