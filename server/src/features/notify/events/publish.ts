// Assigns committed events their positions in the feeds. Readers only see events with a position, and one publisher at a
// time assigns positions, so that no event appears before one that was already read.
import type { Database, Transaction } from '../../../platform/db/database.ts';
import { feedKeyOf, type PublishedEvent, type WaitingEvent, writeEvent } from './event.ts';
import { advanceHeads, becomePublisher, hasWaitingEvents, insertPublished, takeWaitingEvents } from './store.ts';

/** Called with new events in the transaction that publishes them. */
export type Subscriber = (tx: Transaction, events: readonly PublishedEvent[], now: Date) => Promise<void>;

/** Returns the published events; none if nothing waits or another process is publishing. */
export async function publishWaiting(
  db: Database,
  options: { readonly limit: number; readonly subscriber: Subscriber; readonly now: Date },
): Promise<readonly PublishedEvent[]> {
  if (!(await hasWaitingEvents(db))) return [];
  return db.transaction(async (tx) => {
    if (!(await becomePublisher(tx))) return [];
    const waiting = await takeWaitingEvents(tx, options.limit);
    if (waiting.length === 0) return [];
    const events = await assignPositions(tx, waiting);
    await insertPublished(tx, events, options.now);
    await options.subscriber(tx, events, options.now);
    return events;
  });
}

async function assignPositions(tx: Transaction, waiting: readonly WaitingEvent[]): Promise<PublishedEvent[]> {
  const feeds = Map.groupBy(waiting, ({ tenant }) => feedKeyOf(tenant));
  const counts = [...feeds.values()].flatMap((events) =>
    events[0] ? [{ tenant: events[0].tenant, count: events.length }] : [],
  );
  return (await advanceHeads(tx, counts)).flatMap(({ tenant, position }) => {
    const events = feeds.get(feedKeyOf(tenant)) ?? [];
    return events.map((event, index) => ({
      id: event.id,
      tenant,
      userId: event.userId,
      type: event.type,
      deviceId: event.deviceId,
      position: position - events.length + 1 + index,
      body: writeEvent(event),
    }));
  });
}
