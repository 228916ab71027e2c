// Requests to providers.
export { type Asked, askProvider, type Waiting } from './ask-provider.ts';
export { type CallFailure, callProvider, failureOf, type ProviderReply } from './call-provider.ts';
export { removeEndedBudgets } from './store.ts';
