// What Garmin calls the sports of people who do not exist.
import type { Workout } from '../../../domain/records.ts';
import type { SportName } from '../../../domain/sandbox/index.ts';

const TYPES: Readonly<Record<SportName, string>> = {
  running: 'RUNNING',
  cycling: 'CYCLING',
  strength_training: 'STRENGTH_TRAINING',
  pool_swimming: 'LAP_SWIMMING',
  yoga: 'YOGA',
  hiking: 'HIKING',
};

export function activityTypeOf({ sportType }: Workout): string {
  return TYPES[sportType as SportName];
}
