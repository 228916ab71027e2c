// The people who have connected, as far as they are known: one is met when a token of theirs is seen.

import { createDraw, drawPerson, type Person } from '../domain/sandbox/index.ts';
import { createZone, type Zone } from '../domain/time/day.ts';
import { createBoundedMap } from './bounded-map.ts';
import type { Webhookd } from './reported-changes.ts';
import type { Claims } from './signed-claims.ts';

/** Each is looked at in every turn, for some ten milliseconds. Who is forgotten is met again at the next request. */
const MAX_ACCOUNTS = 200;

/** Of one account: who connects it again and again makes a new one each time. */
const MAX_GRANTS = 100;

export type Account = {
  readonly provider: string;
  /** What everything of it is drawn from. */
  readonly seed: string;
  readonly person: Person & { readonly sex: 'female' | 'male' };
  readonly zone: Zone;
  readonly connectedAtMs: number;
  /** All of its consents that were seen. */
  readonly grants: Set<string>;
  /** What the person allowed, by the token that was seen last. */
  scopes: readonly string[];
  /** What notices were last compared with. Null: nothing yet. */
  reported: ReadonlyMap<string, Webhookd> | null;
  isEndReported: boolean;
};

export type Introduction = Pick<Claims, 'provider' | 'seed' | 'sinceMs' | 'grant' | 'scopes'>;

export type AccountStore = {
  meet(claims: Introduction): Account;
  forget(account: Account): void;
  list(provider?: string): Account[];
};

export function createAccountStore(zoneName: string): AccountStore {
  const known = createBoundedMap<string, Account>(MAX_ACCOUNTS);
  const nameOf = ({ provider, seed }: { provider: string; seed: string }) => `${provider}/${seed}`;
  return {
    meet(claims) {
      const account = known.get(nameOf(claims)) ?? draw(claims, zoneName);
      account.grants.add(claims.grant);
      const [oldest] = account.grants;
      if (account.grants.size > MAX_GRANTS && oldest !== undefined) account.grants.delete(oldest);
      account.scopes = claims.scopes;
      known.set(nameOf(claims), account);
      return account;
    },
    forget: (account) => void known.delete(nameOf(account)),
    list: (provider) => [...known.values()].filter((one) => provider === undefined || one.provider === provider),
  };
}

function draw({ provider, seed, sinceMs, scopes }: Introduction, zoneName: string): Account {
  const sex = createDraw(seed, 'sex').pick(['female', 'male'] as const);
  return {
    provider,
    seed,
    person: { ...drawPerson(seed, { sex }), sex },
    zone: createZone(zoneName),
    connectedAtMs: sinceMs,
    grants: new Set(),
    scopes,
    reported: null,
    isEndReported: false,
  };
}
