// Webhook subscriptions at providers, and the secrets that verify the webhooks.

export { endWebhookOverlap, rotateWebhookSecret } from './rotate-webhook-secret.ts';
export { endSubscriptions, ensureSubscriptions, repairApplication, type SubscriptionProblem } from './subscriptions.ts';
export {
  listAcceptedSecrets,
  openRegistration,
  refreshKeys,
  type WebhookRegistration,
} from './webhook-registration.ts';
