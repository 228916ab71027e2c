// Outbound HTTP requests.
export { checkUrl, MAX_URL_CHARACTERS, type OutboundRules, type UrlCheck } from './check-url.ts';
export {
  createOutbound,
  type Outbound,
  type OutboundContent,
  type OutboundMethod,
  type OutboundOptions,
} from './outbound.ts';
export type {
  OutboundAnswer,
  OutboundFailure,
  OutboundHeaders,
  OutboundReason,
  OutboundReply,
} from './outbound-answer.ts';
