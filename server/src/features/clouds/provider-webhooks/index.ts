// What providers tell us.
export { webhookRawRoutes } from './routes.ts';
export { startWebhookReader } from './start-webhook-reader.ts';
