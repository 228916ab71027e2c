export {
  type AwaitInFlight,
  awaitNothing,
  cancelUserDeliveries,
  cancelWebhookDeliveries,
} from './cancel-deliveries.ts';
export { countPendingDeliveries, countWebhooks, readDueDeliveries, type WebhookCount } from './count-store.ts';
export { webhookDashboardRoutes } from './dashboard-routes.ts';
export type { Delivery } from './delivery.ts';
export { removeDeliveriesJob, tidyDeliveriesJob } from './delivery-jobs.ts';
export { findDelivery, listDeliveriesOfUser } from './delivery-log-store.ts';
export { type DeliveryMetrics, registerDeliveryMetrics } from './delivery-metrics.ts';
export { DELIVERY_TIMEOUT_MS } from './delivery-request.ts';
export { type DeliveryMark, listDeliveryMarks } from './delivery-search-store.ts';
export { removeDeliveries } from './delivery-store.ts';
export { startDispatcher } from './dispatcher.ts';
export {
  type BrokenWebhook,
  listBrokenWebhooks,
  listWebhookFailure,
  readWebhookVersions,
  type WebhookFailure,
} from './health-store.ts';
export { planDeliveries } from './plan-deliveries.ts';
export { removeWebhooksOf } from './remove-webhooks.ts';
export { webhookRoutes } from './routes.ts';
export { countWebhooksOfKey, disableWebhooksOfKey, listWebhooks } from './store.ts';
export { DISABLED_REASONS } from './webhook.ts';
