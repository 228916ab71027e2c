// People's accounts at providers.
export { connectAccount } from './connect-account.ts';
export type { AccountTokens, ConnectedAccount } from './connected-account.ts';
export { listAccountsOfPerson, listAccountsOfUser, readAccount, removeAccount, removeAccounts } from './store.ts';
