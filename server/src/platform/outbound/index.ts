// Outbound HTTP requests.
export { ERRORS_OF_CERTIFICATES } from './certificate-errors.ts';
export { ANYWHERE, isLocalTarget } from './check-url.ts';
export { createOutbound, OUTBOUND_BUCKETS, type Outbound, type OutboundContent } from './outbound.ts';
export type { OutboundAnswer, OutboundHeaders } from './outbound-answer.ts';
export { MAX_RETRY_AFTER_MS, parseRetryAfter } from './retry-after.ts';
