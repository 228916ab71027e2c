// The phases of a sleep: one digit for every 30 seconds or 5 minutes from its start on.
// https://cloud.ouraring.com/v2/docs#tag/Sleep-Routes (sleep_phase_30_sec, sleep_phase_5_min)
import type { EpochMs, SleepStage, StagePeriod } from '../../domain/records/records.ts';
import { type JsonObject, readText } from '../read-json.ts';

const STAGES: Readonly<Record<string, SleepStage>> = { 1: 'deep', 2: 'light', 3: 'rem', 4: 'awake' };

/** The finer one where both are told. */
const PHASES = [
  ['sleep_phase_30_sec', 30_000],
  ['sleep_phase_5_min', 300_000],
] as const;

export function readStages(document: JsonObject, start: EpochMs, end: EpochMs): StagePeriod[] | null {
  for (const [name, stepMs] of PHASES) {
    const digits = readText(document, name);
    if (digits !== null && digits !== '') return toPeriods(digits, stepMs, start, end);
  }
  return null;
}

/** Neighbours of one phase are one period. A digit that means nothing is time of which nothing is known. */
function toPeriods(digits: string, stepMs: number, start: EpochMs, end: EpochMs): StagePeriod[] {
  const periods: StagePeriod[] = [];
  let from = 0;
  for (let at = 1; at <= digits.length; at += 1) {
    if (at < digits.length && digits[at] === digits[from]) continue;
    const stage = STAGES[digits[from] ?? ''];
    const startMs = start + from * stepMs;
    const endMs = Math.min(start + at * stepMs, end); // the last step is a whole one though the sleep ended within it
    if (stage !== undefined && endMs > startMs)
      periods.push({ stage, start: startMs as EpochMs, end: endMs as EpochMs });
    from = at;
  }
  return periods;
}
