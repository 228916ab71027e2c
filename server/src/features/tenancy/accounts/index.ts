export { type Actor, actorOf, CLI, FIRST_START, memberActor, nameOfActor, operatorActor, SERVICE } from './actor.ts';
export { environmentOfKey, hasEnded, isWellFormedApiKey, type KeyEnd, looksLikeApiKey } from './api-key.ts';
export { auditChange } from './audit-change.ts';
export {
  auditDeployment,
  hideErased,
  hideUserInAudit,
  insertAudit,
  listAudit,
  listReadableErasures,
  removeAudit,
  type StoredAuditEntry,
} from './audit-store.ts';
export { readBranding, readLogoImage } from './branding.ts';
export { brandingFields, brandingReply, parseBranding, presentBranding } from './branding-schemas.ts';
export { type AccountChange, changeAccount, removeRoutesRef } from './change-account.ts';
export { countUsers, readNextExpiry } from './count-store.ts';
export { closeAccount, deleteAccount, eraseAccountRef, reopenAccount, startAccountErasure } from './end-account.ts';
export { ensureFirstAccount } from './ensure-first-account.ts';
export { expiresSoon, readExpiringKeys, readKeysToMail, warnExpiringKeysJob } from './key-expiry.ts';
export { type KeyMetrics, registerKeyMetrics } from './key-metrics.ts';
export {
  type ApiKeyDetails,
  endTokensOfKey,
  findKeyInForce,
  hasEndedTokens,
  holdApiKey,
  listApiKeys,
  listUsableKeyIds,
  markMailed,
  readApiKey,
  removeApiKeys,
  revokeApiKey,
} from './key-store.ts';
export { createKeyUses, type KeyUses } from './key-uses.ts';
export { logoRoutes } from './logo-routes.ts';
export { addAccount, changeCredentials, createAccount, getAccountOrThrow } from './manage-accounts.ts';
export {
  createApiKey,
  DEFAULT_KEY_NAME,
  getKeyOrThrow,
  MAX_OVERLAP_MS,
  type NewApiKey,
  renameApiKey,
  rotateApiKey,
  type WhichKey,
} from './manage-keys.ts';
export { recordLook } from './record-look.ts';
export { addScheme, removeScheme, replaceSchemes } from './redirect-schemes.ts';
export { requireEnvironment } from './require-environment.ts';
export { requireOpenAccount } from './require-open-account.ts';
export {
  type Account,
  countUserIn,
  countUserOut,
  type EnvironmentUsage,
  hasOtherAccounts,
  holdAccount,
  isDeleted,
  keepsRoutes,
  type ListedAccount,
  listAccounts,
  lockAccount,
  lockDeletedAccount,
  readAccount,
  readEnvironmentUsage,
  removeAccountRow,
} from './store.ts';
export { tidyAuditLogJob } from './tidy-audit-log.ts';
