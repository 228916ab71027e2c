// One live stream as server-sent events: entries as in the lists, an id that a browser sends when it connects again, and a
// comment every 15 seconds so that proxies keep the connection.
import { PassThrough, type Readable } from 'node:stream';
import { MINUTE_MS, SECOND_MS } from '../../../domain/time/durations.ts';
import { AppError } from '../../../platform/errors.ts';
import type { MemberCaller } from '../../../platform/http/caller.ts';
import type { Services } from '../../../platform/services.ts';
import { presentRequest } from '../../tenancy/request-log/index.ts';
import type { DescribedEvent } from './describe-events.ts';
import { type LiveCursor, writeLiveCursor } from './live-cursor.ts';
import type { LiveNews } from './live-feeds.ts';
import { presentEvent } from './present-event.ts';

export type LiveInput = { readonly topics: readonly string[]; readonly cursor: LiveCursor | null };

const COMMENT_INTERVAL_MS = 15 * SECOND_MS;
const MAX_DURATION_MS = 15 * MINUTE_MS; // the browser connects again, with a session that is then checked
const RETRY_MS = 2_000;
const MAX_STREAMS = 4; // per member and process: as many visible tabs
const MAX_UNREAD_BYTES = 1_048_576; // of earlier rounds; a reader that does not keep up is disconnected, and catches up by its cursor

const openStreams = new Map<string, number>();

export async function openLiveStream(
  { services, caller }: { services: Pick<Services, 'liveFeeds'>; caller: MemberCaller },
  { topics, cursor }: LiveInput,
): Promise<Readable> {
  const { memberId, sessionId, tenant } = caller;
  const count = openStreams.get(memberId) ?? 0;
  if (count >= MAX_STREAMS)
    throw new AppError('rate_limited', {
      message: 'Too many live streams of this member. Close another tab.',
      retryAfterMs: 10 * SECOND_MS,
    });
  openStreams.set(memberId, count + 1);
  const stream = new PassThrough();
  const write = (text: string) => void (stream.writable && stream.write(text));
  const send = (news: LiveNews) => {
    for (const message of writeNews(news, topics)) write(message);
  };
  let waiting: LiveNews[] | null = []; // until the missed news are sent, because ids must not decrease
  const receive = (news: LiveNews) => {
    if (waiting !== null) waiting.push(news);
    else if (stream.writableLength > MAX_UNREAD_BYTES) stream.destroy();
    else send(news);
  };
  const end = () => void stream.end();
  const comments = setInterval(() => write(': still here\n\n'), COMMENT_INTERVAL_MS);
  const limit = setTimeout(end, MAX_DURATION_MS);
  stream.once('close', () => {
    clearInterval(comments);
    clearTimeout(limit);
    const left = (openStreams.get(memberId) ?? 1) - 1;
    if (left > 0) openStreams.set(memberId, left);
    else openStreams.delete(memberId);
  });
  try {
    const { start, missed, close } = await services.liveFeeds.open(tenant, cursor, { sessionId, receive, end });
    stream.once('close', close);
    write(`retry: ${RETRY_MS}\n\n`);
    if (missed !== null) send(missed);
    write(writeMessage('open', start, {}));
    waiting.forEach(send);
    waiting = null;
  } catch (error) {
    stream.destroy();
    throw error;
  }
  return stream;
}

/** The messages of one round, for a reader of these topics. Each has its own position: a round can be cut off after any of them. */
function writeNews({ from, cursor, events, requests, webhookIds }: LiveNews, topics: readonly string[]): string[] {
  const wants = new Set(topics);
  return [
    ...events
      .filter((event) => isWanted(event, wants))
      .map((event) => writeMessage('event', { ...from, event: event.position }, presentEvent(event))),
    ...(wants.has('requests')
      ? requests.map((entry) => writeMessage('request', { ...cursor, request: entry.seq }, presentRequest(entry)))
      : []),
    ...(wants.has('deliveries') && webhookIds.length > 0
      ? [writeMessage('deliveries', cursor, { webhook_ids: webhookIds })]
      : []),
  ];
}

function isWanted({ event }: DescribedEvent, wants: ReadonlySet<string>): boolean {
  return wants.has('events') || wants.has(`user:${event.user_id}`) || wants.has(`device:${event.device_id}`);
}

function writeMessage(name: string, cursor: LiveCursor, data: object): string {
  return `id: ${writeLiveCursor(cursor)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
