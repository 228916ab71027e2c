export {
  concernsData,
  EVENT_TYPES,
  type EventBody,
  type EventType,
  feedKeyOf,
  type NewEvent,
  type PublishedEvent,
  writeEvent,
} from './event.ts';
export { tidyFeedJob } from './jobs.ts';
export {
  countPeopleSince,
  type LatestEvent,
  listEventsAfter,
  listLatestEvents,
  type PeopleCount,
  readOldestWaiting,
} from './latest-store.ts';
export type { Subscriber } from './publish.ts';
export { type FeedReadModel, listBodies, readEnd, readEvents } from './read-feed.ts';
export { eventRoutes } from './routes.ts';
export { feedQuery } from './schemas.ts';
export { startPublisher } from './start-publisher.ts';
export {
  findEvent,
  listEventsOfUser,
  readFeedHead,
  readWaitingEvents,
  recordEvent,
  removeEvents,
  removeFeedOf,
  type UserEvent,
} from './store.ts';
export { webhookPayloads } from './webhook-payloads.ts';
