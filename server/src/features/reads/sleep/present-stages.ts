// The stages of a sleep as both forms show them: without overlaps, by time. Pure.
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
