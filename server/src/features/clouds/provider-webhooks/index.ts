// What providers tell us.
export { webhookRawRoutes as noticeRawRoutes } from './routes.ts';
export { startWebhookReader as startNoticeReader } from './start-webhook-reader.ts';
