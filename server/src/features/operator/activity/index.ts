export { createLiveFeeds, type LiveFeeds } from './live-feeds.ts';
export { activityRoutes } from './routes.ts';
