// The rows of the live tail: a page of the newest events, what arrives, and older pages. Positions have no gaps, so a gap
// between two rows means that events were missed. Pure.
import type { LatestEvent } from '../../shared/event/describe-event.ts';

export type Tail = {
  /** Newest first, each once. */
  readonly rows: readonly LatestEvent[];
  readonly hasOlder: boolean;
};

type Page = { readonly data: readonly LatestEvent[]; readonly has_more: boolean };

const MAX_ROWS = 500; // older pages that somebody asked for are added to them

/** A newer version of an event, with other deliveries, replaces the known one. */
export function addArrived(tail: Tail, events: readonly LatestEvent[]): Tail {
  const rows = merge(tail.rows, events);
  const limit = Math.max(MAX_ROWS, tail.rows.length);
  return { rows: rows.slice(0, limit), hasOlder: tail.hasOlder || rows.length > limit };
}

/** The newest page again. If it does not reach the known rows, they would hide a gap. */
export function addNewest(tail: Tail, { data, has_more }: Page): Tail {
  const newest = tail.rows[0];
  const reaches = newest !== undefined && (!has_more || data.some(({ position }) => position <= newest.position));
  return reaches ? addArrived(tail, data) : { rows: data, hasOlder: has_more };
}

export function addOlder(tail: Tail, { data, has_more }: Page): Tail {
  return { rows: merge(tail.rows, data), hasOlder: has_more };
}

/** The listed rows while the tail is paused at a position, and the number of newer events. */
export function splitAt({ rows }: Tail, pausedAt: number | null): { listed: readonly LatestEvent[]; waiting: number } {
  if (pausedAt === null) return { listed: rows, waiting: 0 };
  const listed = rows.filter(({ position }) => position <= pausedAt);
  return { listed, waiting: rows.length - listed.length };
}

type Filter = { readonly type?: string; readonly user?: string };

/** `userIds` are those that the text of the search has found; null: all users. */
export function matches(event: LatestEvent, { type, user }: Filter, userIds: readonly string[] | null): boolean {
  return (
    (type === undefined || event.type === type) &&
    (user === undefined || event.user_id === user) &&
    (userIds === null || userIds.includes(event.user_id))
  );
}

function merge(known: readonly LatestEvent[], added: readonly LatestEvent[]): LatestEvent[] {
  const byId = new Map([...known, ...added].map((event) => [event.id, event]));
  return [...byId.values()].sort((one, other) => other.position - one.position);
}
