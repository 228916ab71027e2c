// The query and the result of a read of workouts. Both forms present this.
import type { UnitSystem } from '../../../domain/metrics/present-value.ts';
import type { HeartRateSample, RoutePoint, WorkoutLap } from '../../../domain/records/records.ts';
import type { Zone } from '../../../domain/time/day.ts';
import type { StoredWorkout } from '../../store/session-store/index.ts';
import type { DateRange, PageQuery, Sourced } from '../shared/index.ts';
import type { Effort } from './add-effort.ts';

export type WorkoutQuery = {
  readonly userId: string;
  readonly page: PageQuery;
  readonly unitSystem: UnitSystem;
  readonly includeSources: boolean;
};

export type ListedWorkout = Sourced<StoredWorkout> & Effort;

export type WorkoutReadModel = {
  readonly range: DateRange;
  readonly zone: Zone;
  /** Newest first. */
  readonly workouts: readonly ListedWorkout[];
  readonly nextCursor: string | null;
  /** Only for lists by page number. */
  readonly meta: { readonly page: number; readonly perPage: number; readonly total: number } | null;
  readonly unitSystem: UnitSystem;
  readonly includeSources: boolean;
};

export type WorkoutDetailQuery = {
  readonly userId: string;
  readonly workoutId: string;
  readonly unitSystem: UnitSystem;
  readonly included: RouteParts;
};

export type RouteParts = { readonly hasPoints: boolean; readonly hasLaps: boolean };

/** With the device that recorded it. */
type Recorded<Item> = {
  readonly source: Sourced<StoredWorkout>['source'];
  readonly recorded: readonly Item[];
};

/** `reExportOf`: the provider of the record that it repeats; null: none is known. */
export type WorkoutDuplicate = Sourced<StoredWorkout> & { readonly reExportOf: string | null };

export type WorkoutDetail = {
  readonly unitSystem: UnitSystem;
  readonly workout: ListedWorkout;
  readonly zone: Zone;
  readonly trace: readonly HeartRateSample[] | null;
  readonly duplicates: readonly WorkoutDuplicate[];
  readonly included: RouteParts;
  /** Null: not wanted, not recorded, or not kept. */
  readonly route: Recorded<RoutePoint> | null;
  readonly laps: Recorded<WorkoutLap> | null;
};
