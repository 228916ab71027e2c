// Our applications at the providers.
export { findApp, listApps, listAppsById, openAppOf } from './find-app.ts';
export { dropClient, keepClient } from './manage-clients.ts';
export {
  FIRST_WEBHOOK_VERSION,
  isOperatorsApp,
  isWebhookSecret as isNoticeSecret,
  type ProviderApp,
  redirectUriOf,
  sandboxWebhookUrlOf as sandboxNoticeUrlOf,
  verificationTokenOf,
  webhookUrlOf as noticeUrlOf,
} from './provider-app.ts';
