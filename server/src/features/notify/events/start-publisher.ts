// The publisher of a worker process. It polls the outbox several times a second: polling an empty outbox costs almost
// nothing, and NOTIFY would take a server-wide lock in every upload.
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Services } from '../../../platform/services.ts';
import { listOrigins } from '../../store/devices/index.ts';
import type { PublishedEvent } from './event.ts';
import { publishWaiting, type Subscriber } from './publish.ts';

const PAUSE_MS = 100;
const BATCH_EVENTS = 500; // takes a few milliseconds, during which the feed heads are locked

export function startPublisher(
  services: Pick<Services, 'clock' | 'db' | 'log' | 'metrics' | 'usage'>,
  options: { readonly subscriber: Subscriber; readonly onPublished: () => void },
): BackgroundLoop {
  return startLoop({
    name: 'publisher',
    pauseMs: PAUSE_MS,
    log: services.log,
    async round() {
      const { subscriber } = options;
      const now = services.clock.now();
      const events = await publishWaiting(services.db, { limit: BATCH_EVENTS, subscriber, now });
      if (events.length > 0) options.onPublished();
      services.metrics.countPublished(events.length);
      if (events.length > 0) await countEvents(services, events);
      return events.length === BATCH_EVENTS;
    },
  });
}

const ONE = { n: 1, bad: 0, ms: 0 };

/** By type, and updates by the source that caused them. */
async function countEvents(
  { db, usage, log }: Pick<Services, 'db' | 'log' | 'usage'>,
  events: readonly PublishedEvent[],
): Promise<void> {
  for (const { tenant, type } of events) usage.count(tenant, 'event', type, ONE);
  const updates = events.flatMap(({ type, tenant, userId, deviceId }) =>
    type === 'data.updated' && deviceId !== null ? [{ tenant, userId, deviceId }] : [],
  );
  if (updates.length === 0) return;
  try {
    const origins = await listOrigins(db, updates);
    for (const { tenant, deviceId } of updates) usage.count(tenant, 'source', origins.get(deviceId) ?? 'other', ONE);
  } catch (error) {
    log.debug({ err: error }, 'the sources of updates were not counted'); // the events are published
  }
}
