// WHOOP's collections: paths, scopes and content.
import type { AccountDay, AccountView } from '../account-view.ts';
import { listCycles } from './cycles.ts';
import type { WhoopRecord } from './record.ts';
import { listRecoveries } from './recoveries.ts';
import { listSleeps } from './sleeps.ts';
import { listWorkouts } from './workouts.ts';

export type Collection = {
  readonly path: string;
  readonly scope: string;
  /** In webhooks. Null: never reported. */
  readonly kind: 'sleep' | 'recovery' | 'workout' | null;
  readonly isFoundById: boolean;
  list(view: AccountView, day: AccountDay): WhoopRecord[];
};

export const CYCLES: Collection = {
  path: '/developer/v2/cycle',
  scope: 'read:cycles',
  kind: null,
  isFoundById: true,
  list: listCycles,
};
export const RECOVERIES: Collection = {
  path: '/developer/v2/recovery',
  scope: 'read:recovery',
  kind: 'recovery',
  isFoundById: false,
  list: listRecoveries,
};
export const SLEEPS: Collection = {
  path: '/developer/v2/activity/sleep',
  scope: 'read:sleep',
  kind: 'sleep',
  isFoundById: true,
  list: listSleeps,
};
const WORKOUTS: Collection = {
  path: '/developer/v2/activity/workout',
  scope: 'read:workout',
  kind: 'workout',
  isFoundById: true,
  list: listWorkouts,
};

export const COLLECTIONS: readonly Collection[] = [CYCLES, RECOVERIES, SLEEPS, WORKOUTS];
