// The bar of a connection's history: from the first day that the provider can have to today. Pure.
import { DAY_MS } from '../../shared/time/durations.ts';
import type { Connection } from './queries.ts';

type HistoryBar = { readonly name: string | null; readonly from: number };
export type HistoryModel = {
  readonly limitDate: string;
  /** Fractions between 0 (the limit) and 1 (today), where the fetched part begins. */
  readonly bars: readonly HistoryBar[];
  readonly notBegun: number;
  readonly ticks: readonly { readonly at: number; readonly date: string }[];
};

const MOST_BARS = 6;

/** Null: the device has no history to fetch. */
export function layOutHistory(
  connection: Pick<Connection, 'backfill' | 'last_sync_at'>,
  nowMs: number,
): HistoryModel | null {
  const { state, from_date, limit_date, resources } = connection.backfill;
  if (state === null || limit_date === null) return null;
  const limitMs = Date.parse(limit_date);
  const spanMs = Math.max(DAY_MS, nowMs - limitMs);
  const fraction = (ms: number) => Math.min(1, Math.max(0, (ms - limitMs) / spanMs));
  const begun = resources.flatMap(({ name, reached }) =>
    reached === null ? [] : [{ name, from: fraction(Date.parse(reached)) }],
  );
  const isRunning = state === 'waiting' || state === 'running';
  const whole = { name: null, from: from_date === null ? (state === 'done' ? 0 : 1) : fraction(Date.parse(from_date)) };
  return {
    limitDate: limit_date,
    bars: isRunning && begun.length > 0 ? begun.slice(0, MOST_BARS) : [whole],
    notBegun: isRunning ? resources.length - begun.length : 0,
    ticks: listTicks(limitMs, spanMs),
  };
}

const TICKS = 4;

function listTicks(limitMs: number, spanMs: number) {
  return Array.from({ length: TICKS }, (_, index) => {
    const at = index / TICKS;
    return { at, date: new Date(limitMs + at * spanMs).toISOString().slice(0, 10) };
  });
}
