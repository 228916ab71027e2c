// The query and the result of a read of scores. Both forms and the history present this.

import type { ScoreType } from '../../../domain/scores/index.ts';
import type { LocalDate } from '../../../domain/time/calendar.ts';
import type { NewestScore } from '../../pipeline/scoring/index.ts';
import type { DateRange, Form2Range } from '../shared/index.ts';

export type ScoreQuery = { readonly userId: string } & (
  | { readonly select: 'newest' }
  | {
      readonly select: 'days';
      /** In the order of the response. */
      readonly types: readonly ScoreType[];
      readonly range: DateRange | Form2Range;
      readonly includeSources: boolean;
    }
);

export type ScoreColumn = {
  readonly type: ScoreType;
  /** One value per date; null where the day has no score. */
  readonly values: readonly (number | null)[];
};

export type ScoreReadModel = {
  /** The newest score of each type; empty for a read of days. */
  readonly newest: readonly NewestScore[];
  /** Every day of the range; empty for a read of the newest scores. */
  readonly dates: readonly LocalDate[];
  readonly columns: readonly ScoreColumn[];
  readonly includeSources: boolean;
};
