// What we asked providers to tell us, and what we need to believe them.
export { type AppFacts, listAcceptedSecrets, openFacts, refreshKeys } from './app-facts.ts';
export { endWebhookOverlap, rotateWebhookSecret } from './rotate-webhook-secret.ts';
export { endSubscriptions, ensureSubscriptions, repairApplication, type SubscriptionProblem } from './subscriptions.ts';
