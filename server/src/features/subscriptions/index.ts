// What we asked providers to tell us, and what we need to believe them.
export { type AppFacts, noticeSecretsOf, openFacts, refreshKeys } from './app-facts.ts';
export { endSubscriptions, ensureSubscriptions, repairApplication, type SubscriptionProblem } from './subscriptions.ts';
