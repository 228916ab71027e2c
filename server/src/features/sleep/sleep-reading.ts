// What both forms ask of the sleeps of a user, and what they are given to present.
import type { Zone } from '../../domain/day.ts';
import type { DateRange, UnitSystem } from '../reading/index.ts';
import type { PageQuestion } from '../sessions/index.ts';
import type { FilledSleep } from './fill-sleeps.ts';

export type SleepQuestion = {
  readonly userId: string;
  readonly page: PageQuestion;
  readonly unitSystem: UnitSystem;
  readonly includeSources: boolean;
  readonly includeStages: boolean;
};

export type SleepReading = {
  readonly range: DateRange;
  readonly zone: Zone;
  /** Newest first. */
  readonly sleeps: readonly FilledSleep[];
  readonly nextCursor: string | null;
  readonly unitSystem: UnitSystem;
  readonly includeSources: boolean;
  readonly includeStages: boolean;
};
