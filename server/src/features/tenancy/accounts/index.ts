export { addRedirectScheme, changeLogo, removeRedirectScheme } from './account-appearance.ts';
export { isSandboxKey, isWellFormedApiKey, looksLikeApiKey } from './api-key.ts';
export { ensureFirstAccount } from './ensure-first-account.ts';
export {
  changeAccount,
  changeCredentials,
  changeUserLimit,
  createAccount,
  getAccountOrThrow,
} from './manage-accounts.ts';
export { createApiKey, DEFAULT_KEY_NAME, type NewApiKey, noSuchKey, rotateApiKey } from './manage-keys.ts';
export { requireSandbox } from './require-sandbox.ts';
export {
  type Account,
  type ApiKeyRecord,
  countUserIn,
  countUserOut,
  type EnvironmentUsage,
  endTokensOfKey,
  findKeyInForce,
  hasEndedTokens,
  holdApiKey,
  listAccounts,
  listApiKeys,
  readAccount,
  readApiKey,
  readApiKeyById,
  readUsage,
  revokeApiKey,
} from './store.ts';
