// Registered users of the application. Data cannot be read before registration, and earlier data of the watch is
// uploaded after it. Unknown users count as registered, because they were before a restart.
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { SimulatedAccount } from '../account-store.ts';
import type { AccountView } from '../account-view.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { nameInteger } from '../names.ts';
import type { ProviderContext } from '../provider-context.ts';
import { refusePolar } from './refuse.ts';

const NOT_YET = 'not yet';
const factOf = ({ seed }: SimulatedAccount) => `registration/${seed}`;

export function userIdOf({ seed }: SimulatedAccount): number {
  return Number(nameInteger(31, 'polar', seed, 'user'));
}

export function userUrlOf({ account }: AccountView, { baseUrl }: ProviderContext): string {
  return `${baseUrl}/v3/users/${userIdOf(account)}`;
}

/** At the first consent. */
export function awaitRegistration(account: SimulatedAccount, { facts }: ProviderContext): void {
  if (!facts.has(factOf(account))) facts.set(factOf(account), NOT_YET);
}

/** False: already registered. */
export function register(account: SimulatedAccount, context: ProviderContext): boolean {
  if (isRegistered(account, context)) return false;
  context.facts.set(factOf(account), String(context.now().getTime()));
  return true;
}

export function deregister(account: SimulatedAccount, { facts }: ProviderContext): void {
  facts.set(factOf(account), NOT_YET);
}

export function isRegistered(account: SimulatedAccount, { facts }: ProviderContext): boolean {
  return facts.get(factOf(account)) !== NOT_YET;
}

export function registeredAtOf(account: SimulatedAccount, { facts }: ProviderContext): number {
  return Number(facts.get(factOf(account)) ?? account.connectedAtMs);
}

type DataRoute = { readonly path: string; answer(call: PersonCall): RawReply };

/** A route that reads data of a user. */
export function dataRoute({ path, answer }: DataRoute): SimulatedRoute {
  return {
    method: 'GET',
    path,
    access: 'person',
    scope: null,
    answer: (call) => (isRegistered(call.view.account, call.context) ? answer(call) : refusePolar('forbidden')),
  };
}
