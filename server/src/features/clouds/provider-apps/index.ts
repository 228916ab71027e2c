// Our applications at the providers.
export { findApp, listApps, listAppsById, openAppOf } from './find-app.ts';
export { dropClient, keepClient } from './manage-clients.ts';
export {
  FIRST_WEBHOOK_VERSION,
  isNoticeSecret,
  isOperatorsApp,
  noticeUrlOf,
  type ProviderApp,
  redirectUriOf,
  sandboxNoticeUrlOf,
  verificationTokenOf,
} from './provider-app.ts';
