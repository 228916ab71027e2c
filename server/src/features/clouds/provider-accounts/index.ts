// Users' accounts at providers.
export { type OpenAccount, openAccount } from './access-token.ts';
export { removeEndedBudgets } from './budget-store.ts';
export { callProvider, failureOf, type ProviderReply } from './call-provider.ts';
export { connectAccount, openTokens } from './connect-account.ts';
export type { AccountTokens, ConnectedAccount } from './connected-account.ts';
export {
  type BudgetUse,
  type ConnectedPeople,
  countConnectedPeople,
  listBudgetUse,
} from './health-store.ts';
export { type ProviderMetrics, registerProviderMetrics, type SyncState } from './provider-metrics.ts';
export { type ProviderCallServices, requestProvider } from './request-provider.ts';
export { enqueueRevocation, type GrantedAccess, openAccess, revocationRef } from './revocation.ts';
export {
  listAccountsOfProviderUser,
  listStoredAccounts,
  readProviderAccount,
  refuseAccount,
  removeAccount,
  removeAccounts,
  type StoredAccount,
} from './store.ts';
