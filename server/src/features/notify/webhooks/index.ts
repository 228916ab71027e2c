export { awaitInFlightAttempts } from './await-in-flight.ts';
export {
  type AwaitInFlight,
  awaitNothing,
  cancelUserDeliveries,
  cancelWebhookDeliveries,
} from './cancel-deliveries.ts';
export {
  type Attempt,
  DELIVERY_STATUSES,
  type Delivery,
  type DeliveryStatus,
  DISABLED_REASONS,
  type DisabledReason,
} from './delivery.ts';
export { removeDeliveriesJob, tidyDeliveriesJob } from './delivery-jobs.ts';
export { listDeliveries, readDelivery } from './delivery-log-store.ts';
export {
  bringDeliveryForward,
  failOtherTypes,
  insertTestDelivery,
  removeDeliveries,
  resumeQueue,
} from './delivery-store.ts';
export { startDispatcher } from './dispatcher.ts';
export { ALL_EVENTS, planDeliveries } from './plan-deliveries.ts';
export { SCHEDULE_SPAN_MS } from './retry-schedule.ts';
export { webhookRoutes } from './routes.ts';
export { mintSecret, secretContext } from './signature.ts';
export { countWebhooksOfKey, disableWebhooksOfKey } from './store.ts';
