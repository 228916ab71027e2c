export { ApiError, ConnectionError, TimeoutError, TributaryError } from './api-error.ts';
export type { CallOptions } from './caller.ts';
export * from './errors.gen.ts';
export type { Exclusions, ExportStream } from './export-stream.ts';
export type { Body, Form, Item, OperationId, Query, Reply } from './form.ts';
export type * from './operations.gen.ts';
export { Tributary, type TributaryOptions } from './tributary.ts';
export {
  type FeedEvent,
  type VerificationFailure,
  verifyWebhook,
  type WebhookDelivery,
  WebhookVerificationError,
} from './verify-webhook.ts';
