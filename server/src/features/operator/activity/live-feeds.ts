// The live streams of the dashboard. While a stream of an environment is open, one round per half second reads new rows
// there, once for all its readers. Polling works across processes, and costs nothing without readers.
import type { Tenant } from '../../../domain/tenancy.ts';
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Logger } from '../../../platform/log.ts';
import { feedKeyOf, listEventsAfter, listLatestEvents, readFeedHead } from '../../notify/events/index.ts';
import { readWebhookVersions } from '../../notify/webhooks/index.ts';
import { listOpenSessions } from '../../tenancy/members/index.ts';
import { listRequests, type RequestEntry, readLastRequest } from '../../tenancy/request-log/index.ts';
import { type DescribedEvent, describeEvents } from './describe-events.ts';
import type { LiveCursor } from './live-cursor.ts';

export type LiveNews = {
  /** The position up to which the reader has seen entries. */
  readonly from: LiveCursor;
  readonly cursor: LiveCursor;
  readonly events: readonly DescribedEvent[];
  readonly requests: readonly RequestEntry[];
  /** Webhooks with a new attempt or another state. */
  readonly webhookIds: readonly string[];
};

/** `end` is called when the service stops or the session has ended. */
type LiveReader = { readonly sessionId: string; receive(news: LiveNews): void; end(): void };

type Feed = {
  readonly tenant: Tenant;
  readonly readers: Set<LiveReader>;
  cursor: LiveCursor;
  versions: ReadonlyMap<string, string>;
};

export type LiveFeeds = {
  /** The reader receives entries after `start`. `missed` has those between `cursor` and `start`. */
  open(
    tenant: Tenant,
    cursor: LiveCursor | null,
    reader: LiveReader,
  ): Promise<{ start: LiveCursor; missed: LiveNews | null; close(): void }>;
  start(): BackgroundLoop;
};

const PAUSE_MS = 500;
const MAX_NEWS = 500; // of each kind, per round and of those that a reader missed; the page keeps as many

export function createLiveFeeds({ db, log }: { readonly db: Database; readonly log: Logger }): LiveFeeds {
  const feeds = new Map<string, Feed>();
  let loop: BackgroundLoop | null = null;

  async function readNews(tenant: Tenant, cursor: LiveCursor): Promise<Omit<LiveNews, 'webhookIds'>> {
    const [latest, requests] = await Promise.all([
      listEventsAfter(db, tenant, cursor.event, MAX_NEWS),
      listRequests(db, tenant, { after: cursor.request, limit: MAX_NEWS }),
    ]);
    const next = {
      event: latest.at(-1)?.position ?? cursor.event,
      request: requests.at(-1)?.seq ?? cursor.request,
    };
    return { from: cursor, cursor: next, events: await describeEvents(db, latest), requests };
  }

  /** The newest between two positions. */
  async function readMissed(tenant: Tenant, from: LiveCursor, to: LiveCursor): Promise<LiveNews> {
    const count = { event: countMissed(from.event, to.event), request: countMissed(from.request, to.request) };
    const [latest, requests] = await Promise.all([
      count.event === 0
        ? []
        : listLatestEvents(db, tenant, { before: to.event + 1, types: null, userIds: null, limit: count.event }),
      count.request === 0 ? [] : listRequests(db, tenant, { before: to.request + 1, limit: count.request }),
    ]);
    const missed = latest.filter(({ position }) => position > from.event).reverse();
    return {
      from,
      cursor: to,
      events: await describeEvents(db, missed),
      requests: requests.filter(({ seq }) => seq > from.request).reverse(),
      webhookIds: [],
    };
  }

  /** Readers whose session was ended, or shows another account. */
  async function findEnded({ tenant, readers }: Feed): Promise<ReadonlySet<LiveReader>> {
    const all = [...readers];
    const ids = all.map(({ sessionId }) => sessionId);
    const open = await listOpenSessions(db, tenant.accountId, ids);
    return new Set(all.filter(({ sessionId }) => !open.has(sessionId)));
  }

  async function refresh(feed: Feed): Promise<void> {
    const [news, versions] = await Promise.all([
      readNews(feed.tenant, feed.cursor),
      readWebhookVersions(db, feed.tenant),
    ]);
    const webhookIds = [...versions].flatMap(([id, version]) => (feed.versions.get(id) === version ? [] : [id]));
    const isNews = news.events.length + news.requests.length + webhookIds.length > 0;
    const ended = isNews ? await findEnded(feed) : new Set();
    feed.cursor = news.cursor;
    feed.versions = versions;
    if (!isNews) return;
    for (const reader of feed.readers) {
      if (!ended.has(reader)) reader.receive({ ...news, webhookIds });
      else reader.end(); // it leaves the feed when its stream closes
    }
  }

  async function readFeed(tenant: Tenant): Promise<Feed> {
    const [{ head }, request, versions] = await Promise.all([
      readFeedHead(db, tenant),
      readLastRequest(db, tenant),
      readWebhookVersions(db, tenant),
    ]);
    return { tenant, readers: new Set(), cursor: { event: head, request }, versions };
  }

  return {
    async open(tenant, cursor, reader) {
      const key = feedKeyOf(tenant);
      // Without a pause up to the new reader: a feed without readers is removed.
      const feed = feeds.get(key) ?? feeds.getOrInsert(key, await readFeed(tenant));
      feed.readers.add(reader);
      const start = feed.cursor;
      loop?.wake();
      const close = () => {
        feed.readers.delete(reader);
        if (feed.readers.size === 0) feeds.delete(key);
      };
      const isBehind = cursor !== null && (cursor.event < start.event || cursor.request < start.request);
      try {
        return { start, missed: isBehind ? await readMissed(tenant, cursor, start) : null, close };
      } catch (error) {
        close();
        throw error;
      }
    },
    start() {
      loop = startLoop({
        name: 'live feeds',
        pauseMs: PAUSE_MS,
        log,
        async round() {
          await Promise.all([...feeds.values()].map(refresh));
          return false;
        },
      });
      const started = loop;
      const stop = async () => {
        for (const { readers } of feeds.values()) for (const reader of readers) reader.end();
        await started.stop();
      };
      return { ...started, stop };
    },
  };
}

/** At most as many as there are positions. */
function countMissed(from: number, to: number): number {
  return Math.min(Math.max(0, to - from), MAX_NEWS);
}
