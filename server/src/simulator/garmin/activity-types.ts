// Garmin's names for the simulated sports.
import type { Workout } from '../../domain/records/records.ts';
import type { SportName } from '../../domain/sandbox/index.ts';
import type { AccountView } from '../account-view.ts';
import { isInWheelchair } from './wheelchair.ts';

const TYPES: Readonly<Record<SportName, string>> = {
  running: 'RUNNING',
  cycling: 'CYCLING',
  strength_training: 'STRENGTH_TRAINING',
  pool_swimming: 'LAP_SWIMMING',
  yoga: 'YOGA',
  hiking: 'HIKING',
};

/** Names in wheelchair mode. */
const WHEELCHAIR_TYPES: Readonly<Record<string, string>> = {
  running: 'WHEELCHAIR_PUSH_RUN',
  hiking: 'WHEELCHAIR_PUSH_WALK',
};

export function activityTypeOf(view: AccountView, { sportType }: Workout): string {
  const type = TYPES[sportType as SportName];
  return isInWheelchair(view) ? (WHEELCHAIR_TYPES[sportType] ?? type) : type;
}
