export { type AuditTrail, createAuditTrail } from './audit-trail.ts';
export { cutAuditTrailJob } from './jobs.ts';
export { addOwnAct, type OwnCall } from './own-entry.ts';
export { acceptsNoWrites, addToTrail, addToTrailOfWrite, hasTrail } from './store.ts';
export type { Link } from './trail-entry.ts';
export {
  PART_ENTRIES,
  parseLink,
  presentVerification,
  type VerificationReply,
  verificationReply,
} from './verification-reply.ts';
export type { Verification } from './verify-trail.ts';
