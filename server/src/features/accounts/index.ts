export { addRedirectScheme, changeLogo, removeRedirectScheme } from './account-appearance.ts';
export { isSandboxKey, isWellFormedApiKey, looksLikeApiKey } from './api-key.ts';
export { ensureFirstAccount } from './ensure-first-account.ts';
export { changeAccount, changeUserLimit, createAccount, getAccountOrThrow } from './manage-accounts.ts';
export { createApiKey, type NewApiKey, revokeCurrentApiKey } from './manage-keys.ts';
export {
  type Account,
  type ApiKeyRecord,
  countUserIn,
  countUserOut,
  type EnvironmentUsage,
  listAccounts,
  listApiKeys,
  readAccount,
  readApiKey,
  readUsage,
} from './store.ts';
