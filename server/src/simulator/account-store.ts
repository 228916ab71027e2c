// The connected accounts, kept in memory. An account is created again from the first token that is seen.

import { createBoundedMap } from '../domain/bounded-map.ts';
import { createDraw, drawPerson, drawSex, type Person } from '../domain/sandbox/index.ts';
import { createZone, type Zone } from '../domain/time/day.ts';
import type { WebhookRecord } from './reported-changes.ts';
import type { Claims } from './signed-claims.ts';

/**
 * Each tick compares every account, which takes about ten milliseconds each. A dropped account returns at its next
 * request.
 */
const MAX_ACCOUNTS = 200;

/** Per account, because every new connection adds one. */
const MAX_GRANTS = 100;

export type SimulatedAccount = {
  readonly provider: string;
  /** All random numbers of the account derive from it. */
  readonly seed: string;
  readonly person: Person & { readonly sex: 'female' | 'male' };
  readonly zone: Zone;
  readonly connectedAtMs: number;
  /** All consents seen so far. */
  readonly grants: Map<string, true>;
  /** The granted scopes, from the latest token. */
  scopes: readonly string[];
  /** The records at the last comparison for webhooks. Null: not compared yet. */
  reported: ReadonlyMap<string, WebhookRecord> | null;
  isEndReported: boolean;
};

type AccountClaims = Pick<Claims, 'provider' | 'seed' | 'sinceMs' | 'grant' | 'scopes' | 'person'>;

export type AccountStore = {
  getOrCreate(claims: AccountClaims): SimulatedAccount;
  forget(account: SimulatedAccount): void;
  list(provider?: string): SimulatedAccount[];
};

export function createAccountStore(zoneName: string): AccountStore {
  const known = createBoundedMap<string, SimulatedAccount>(MAX_ACCOUNTS);
  const nameOf = ({ provider, seed }: { provider: string; seed: string }) => `${provider}/${seed}`;
  return {
    getOrCreate(claims) {
      const account = known.get(nameOf(claims)) ?? draw(claims, zoneName);
      account.grants.set(claims.grant, true);
      account.scopes = claims.scopes;
      known.set(nameOf(claims), account);
      return account;
    },
    forget: (account) => void known.delete(nameOf(account)),
    list: (provider) => [...known.values()].filter((one) => provider === undefined || one.provider === provider),
  };
}

function draw({ provider, seed, sinceMs, scopes, person: known }: AccountClaims, zoneName: string): SimulatedAccount {
  const drawn = known ? drawSex(seed) : createDraw(seed, 'sex').pick(['female', 'male'] as const);
  const sex = known?.sex === 'female' || known?.sex === 'male' ? known.sex : drawn; // providers know two
  return {
    provider,
    seed,
    person: { ...drawPerson(seed, known ?? { sex }), sex },
    zone: createZone(known?.zone ?? zoneName),
    connectedAtMs: sinceMs,
    grants: createBoundedMap(MAX_GRANTS),
    scopes,
    reported: null,
    isEndReported: false,
  };
}
