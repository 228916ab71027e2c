// The query and the result of a read of sleep. Both forms present this.
import type { UnitSystem } from '../../../domain/metrics/present-value.ts';
import type { Zone } from '../../../domain/time/day.ts';
import type { DateRange, PageQuery } from '../shared/index.ts';
import type { FilledSleep } from './describe-sleeps.ts';

/** What `include` adds to each sleep. */
type SleepParts = { readonly hasStages: boolean; readonly hasCopies: boolean };

export function parseInclude(include: string | undefined): SleepParts {
  const parts = include?.split(',') ?? [];
  return { hasStages: parts.includes('stages'), hasCopies: parts.includes('copies') };
}

export type SleepQuery = {
  readonly userId: string;
  readonly page: PageQuery;
  readonly unitSystem: UnitSystem;
  readonly includeSources: boolean;
  readonly included: SleepParts;
};

export type SleepReadModel = {
  readonly range: DateRange;
  readonly zone: Zone;
  /** Newest first. */
  readonly sleeps: readonly FilledSleep[];
  readonly nextCursor: string | null;
  readonly unitSystem: UnitSystem;
  readonly includeSources: boolean;
  readonly included: SleepParts;
};
