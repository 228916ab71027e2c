// What providers tell us.
export { noticeRawRoutes } from './routes.ts';
export { startNoticeReader } from './start-notice-reader.ts';
