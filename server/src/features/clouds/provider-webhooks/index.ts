// Receives and reads provider webhooks.
export { readWaitingWebhooks } from './backlog-store.ts';
export { providerWebhookRoutes } from './routes.ts';
export { startWebhookReader } from './start-webhook-reader.ts';
