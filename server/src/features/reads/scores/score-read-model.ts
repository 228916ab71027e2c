// What a read of scores asks for and finds. Both forms, and the history, present this.

import type { ScoreType } from '../../../domain/scores/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { NewestScore } from '../../pipeline/scoring/index.ts';
import type { DateRange } from '../shared/index.ts';

export type ScoreQuery = { readonly userId: string } & (
  | { readonly isRequested: 'newest' }
  | {
      readonly isRequested: 'days';
      /** In the order of the answer. */
      readonly types: readonly ScoreType[];
      readonly range: DateRange | { readonly from_date?: string | undefined; readonly to_date?: string | undefined };
      readonly includeSources: boolean;
    }
);

export type ScoreColumn = {
  readonly type: ScoreType;
  /** By date; null where the day has no score. */
  readonly values: readonly (number | null)[];
};

export type ScoreReadModel = {
  /** Of each type the newest there is, where that was asked for. */
  readonly newest: readonly NewestScore[];
  /** Of each day of a range, where those were. */
  readonly dates: readonly LocalDate[];
  readonly columns: readonly ScoreColumn[];
  readonly includeSources: boolean;
};
