// People's accounts at providers.
export { connectAccount, openTokens, sealTokens } from './connect-account.ts';
export type { AccountTokens, ConnectedAccount } from './connected-account.ts';
export {
  listAccountsOfPerson,
  listStoredAccounts,
  readAccount,
  removeAccount,
  removeAccounts,
  type StoredAccount,
} from './store.ts';
