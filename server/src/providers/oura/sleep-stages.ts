// The stages of a sleep: one digit for every 30 seconds or 5 minutes from its start.
// https://cloud.ouraring.com/v2/docs#tag/Sleep-Routes (sleep_phase_30_sec, sleep_phase_5_min)
import type { EpochMs, SleepStage, StagePeriod } from '../../domain/records/records.ts';
import { type JsonObject, readText } from '../read-json.ts';

const STAGES: Readonly<Record<string, SleepStage>> = { 1: 'deep', 2: 'light', 3: 'rem', 4: 'awake' };

/** The finer one if both are reported. */
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

/** Equal neighbours are one period. An unknown digit is time without a stage. */
function toPeriods(digits: string, stepMs: number, start: EpochMs, end: EpochMs): StagePeriod[] {
  const periods: StagePeriod[] = [];
  let from = 0;
  for (let at = 1; at <= digits.length; at += 1) {
    if (at < digits.length && digits[at] === digits[from]) continue;
    const stage = STAGES[digits[from] ?? ''];
    const startMs = start + from * stepMs;
    const endMs = Math.min(start + at * stepMs, end); // the last step is a full one even if the sleep ended within it
    if (stage !== undefined && endMs > startMs)
      periods.push({ stage, start: startMs as EpochMs, end: endMs as EpochMs });
    from = at;
  }
  return periods;
}
