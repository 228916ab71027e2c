// The athlete behind an account.
import type { SimulatedAccount } from '../account-store.ts';
import { exactNumber } from '../exact-number.ts';
import { nameInteger } from '../names.ts';

const ID_BITS = 53;
const FIRST_ID = 2n ** 60n; // beyond what a double can hold

export function athleteIdOf({ seed }: SimulatedAccount): bigint {
  return FIRST_ID + nameInteger(ID_BITS, 'strava', seed, 'athlete');
}

export function describeAthlete(account: SimulatedAccount) {
  return {
    id: exactNumber(athleteIdOf(account)),
    username: null,
    resource_state: 2,
    firstname: 'Made',
    lastname: 'Up',
    sex: account.person.sex === 'female' ? 'F' : 'M',
    premium: false,
    weight: account.person.weightKg,
  };
}
