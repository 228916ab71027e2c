export { createAuthenticate } from './authenticate.ts';
export { consumeMobileToken, isMobileToken } from './consume-mobile-token.ts';
export { removeExpiredTokensJob, rotateSigningKeysJob } from './jobs.ts';
export { tokenRoutes } from './routes.ts';
export { countMobileTokensOfKey, endMobileTokensOfKey, removeMobileTokens } from './store.ts';
