// Follows an event feed through the operator API, also across restarts of the service.
import { setTimeout as delay } from 'node:timers/promises';
import { callOperator, RefusedError, ServiceAwayError } from './operator-client.ts';
import { restate, type Terminal } from './terminal.ts';

export type FeedChoice = { readonly account?: string; readonly environment?: string; readonly user?: string };
export type Feed = { readonly account: string; readonly environment: string; readonly end_cursor: string };

type Following = {
  readonly feed: Feed;
  /** Null: from the oldest event. */
  readonly cursor: string | null;
  readonly user?: string;
  readonly type?: string;
  /** Ends after the existing events instead of waiting for more. */
  readonly isOnce: boolean;
  readonly signal: AbortSignal;
  /** Prints a status line. */
  readonly note: (line: string) => void;
};
type Page = { readonly events: readonly string[]; readonly cursor: string; readonly has_more: boolean };

const DEFAULT_ACCOUNT = 'default';
const DEFAULT_ENVIRONMENT = 'sandbox';
const LOOK_AGAIN_MS = 250;
const TRY_AGAIN_MS = 500;
const EVENTS_A_PAGE = '500';

/** A user determines the feed; without one the defaults apply. */
export function findFeed(terminal: Terminal, { account, environment, user }: FeedChoice): Promise<Feed> {
  const choice =
    user === undefined
      ? { account: account ?? DEFAULT_ACCOUNT, environment: environment ?? DEFAULT_ENVIRONMENT }
      : { account, environment, user_id: user };
  return callOperator<Feed>(terminal, 'GET', `/admin/feed?${writeQuery(choice)}`);
}

/** Yields the JSON texts of events, byte for byte as webhooks send them. */
export async function* followFeed(terminal: Terminal, following: Following): AsyncGenerator<string, void> {
  const { signal, isOnce } = following;
  for (let cursor = following.cursor; !signal.aborted; ) {
    const page = await readPage(terminal, following, cursor);
    if (page === null) return;
    yield* page.events;
    cursor = page.cursor;
    if (page.has_more) continue;
    if (isOnce) return;
    await pause(LOOK_AGAIN_MS, signal);
  }
}

/** Waits while the service is unreachable. Null: stopped. */
async function readPage(terminal: Terminal, following: Following, cursor: string | null): Promise<Page | null> {
  const { feed, user, type, signal, note } = following;
  const { account, environment } = feed;
  const query = writeQuery({ account, environment, user_id: user, event_type: type, cursor, limit: EVENTS_A_PAGE });
  for (let isAway = false; !signal.aborted; isAway = true) {
    try {
      const page = await callOperator<Page>(terminal, 'GET', `/admin/events?${query}`, undefined, signal);
      if (isAway) note('The service is reachable again.');
      return page;
    } catch (error) {
      if (signal.aborted) return null;
      if (!(error instanceof ServiceAwayError) || following.isOnce) throw explain(error);
      if (!isAway) note('The service is not reachable. Waiting for it.');
      await pause(TRY_AGAIN_MS, signal);
    }
  }
  return null;
}

function explain(error: unknown): unknown {
  const isOtherFeed = error instanceof RefusedError && error.code === 'invalid_cursor';
  return isOtherFeed ? restate(error, 'The service now uses another database. Start the command again.') : error;
}

function writeQuery(parameters: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new URLSearchParams(given).toString();
}

/** Ends early without an error when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
