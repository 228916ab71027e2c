// Formats sleep stages for both forms: by time, without overlaps. Pure.
import type { SleepSession } from '../../../domain/records/records.ts';
import { flattenStages } from '../../../domain/sleep/index.ts';

/** Null: the source sent no stages. */
export function presentStages({ stages, start, end }: SleepSession, formatTime: (epochMs: number) => string) {
  if (stages === null) return null;
  return flattenStages(stages, start, end).map((period) => ({
    stage: period.stage,
    start: formatTime(period.start),
    end: formatTime(period.end),
  }));
}
