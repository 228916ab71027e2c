// Webhook subscriptions at providers, and the secrets that verify the webhooks.

export { endWebhookOverlap, rotateWebhookSecret } from './rotate-webhook-secret.ts';
export { listRegisteredApps } from './store.ts';
export { endSubscriptions, ensureSubscriptions, repairApplication } from './subscriptions.ts';
export { listAcceptedSecrets, openRegistration, refreshKeys } from './webhook-registration.ts';
