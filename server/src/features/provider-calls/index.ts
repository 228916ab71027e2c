// Requests to providers.
export { type CallFailure, callProvider, failureOf } from './call-provider.ts';
