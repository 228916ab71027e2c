// Our applications at the providers.
export { findApp, listApps, listAppsById, listOwners, openAppOf } from './find-app.ts';
export { dropClient, keepClient, type RecordChange } from './manage-clients.ts';
export {
  FIRST_WEBHOOK_VERSION,
  isOperatorsApp,
  isWebhookSecret,
  type ProviderApp,
  type ProviderAppServices,
  redirectUriOf,
  sandboxWebhookUrlOf,
  verificationTokenOf,
  webhookUrlOf,
} from './provider-app.ts';
export { countClients, listAppIds, removeClientsOf } from './store.ts';
