// Receives and reads provider webhooks.
export { providerWebhookRoutes } from './routes.ts';
export { startWebhookReader } from './start-webhook-reader.ts';
export { readWaitingWebhooks } from './store.ts';
