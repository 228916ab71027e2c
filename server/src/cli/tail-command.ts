// tributary events tail: prints the feed as it grows, one line per event. Standard output has only events.
import { describeEvent, type FeedEvent } from './describe-event.ts';
import { parseEventType } from './event-types.ts';
import { type FeedChoice, findFeed, followFeed } from './follow-feed.ts';
import { createStopSignal, printNote, type Terminal } from './terminal.ts';

export type TailOptions = FeedChoice & { type?: string; fromStart?: boolean; once?: boolean; json?: boolean };

export async function tailEvents(terminal: Terminal, options: TailOptions): Promise<void> {
  const { user, type, json, once: isOnce = false } = options;
  if (type !== undefined) parseEventType(type);
  const feed = await findFeed(terminal, options);
  const signal = createStopSignal(terminal);
  const note = (line: string) => printNote(terminal, `${line}\n`);
  if (!isOnce) note(`Following the events of ${feed.account}, ${feed.environment}. Press Ctrl-C to stop.`);
  const following = {
    feed,
    cursor: isOnce || options.fromStart ? null : feed.end_cursor,
    isOnce,
    signal,
    note,
    ...(user !== undefined && { user }),
    ...(type !== undefined && { type }),
  };
  let count = 0;
  for await (const text of followFeed(terminal, following)) {
    terminal.stdout(`${json ? text : describeEvent(JSON.parse(text) as FeedEvent)}\n`);
    count++;
  }
  note(`${count} ${count === 1 ? 'event' : 'events'}.`);
}
