// The publisher of a worker process. It polls the outbox several times a second: polling an empty outbox costs almost
// nothing, and NOTIFY would take a server-wide lock in every upload.
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Services } from '../../../platform/services.ts';
import { countEvents } from './count-events.ts';
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
