export { webhookRoutes } from './routes.ts';
export { countWebhooksOfKey, disableWebhooksOfKey } from './store.ts';
