// The publisher of a worker process. Looks for new events several times a second: a look at an empty outbox costs nearly
// nothing, and a notification would put a lock of the whole server into every upload.
import { type BackgroundLoop, startLoop } from '../../../platform/background-loop.ts';
import type { Services } from '../../../platform/services.ts';
import { publishWaiting, type Subscriber } from './publish.ts';

const PAUSE_MS = 100;
const EVENTS_AT_A_TIME = 500; // some milliseconds; the heads of the feeds are locked for that long

export function startPublisher(
  services: Services,
  options: { readonly subscriber: Subscriber; readonly onPublished: () => void },
): BackgroundLoop {
  return startLoop({
    name: 'publisher',
    pauseMs: PAUSE_MS,
    log: services.log,
    async round() {
      const { subscriber } = options;
      const now = services.clock.now();
      const count = await publishWaiting(services.db, { limit: EVENTS_AT_A_TIME, subscriber, now });
      if (count > 0) options.onPublished();
      services.metrics.countPublished(count);
      return count === EVENTS_AT_A_TIME;
    },
  });
}
