export { createAuthenticate } from './authenticate.ts';
export { USER_TOKEN_MS } from './issue-user-token.ts';
export { removeExpiredTokensJob, rotateSigningKeysJob } from './jobs.ts';
export { consumeMobileToken, isMobileToken } from './mobile-token.ts';
export { tokenRoutes } from './routes.ts';
export { countMobileTokensOfKey, endMobileTokensOfKey, removeMobileTokens } from './store.ts';
