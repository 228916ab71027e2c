// Our applications at the providers.
export { findApp, listApps, openApp } from './find-app.ts';
export {
  noticeUrlOf,
  type ProviderApp,
  redirectUriOf,
  sandboxNoticeUrlOf,
  verificationTokenOf,
} from './provider-app.ts';
