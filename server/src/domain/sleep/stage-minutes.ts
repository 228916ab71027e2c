// Minutes of each stage of one sleep. Stages may overlap (HealthKit's in-bed and asleep samples do by design); no moment is
// counted twice: the more specific stage has it, of equally specific ones the one that began later, then the shorter.
import { SLEEP_STAGES, type SleepStage, type StagePeriod } from '../records.ts';

export type StageStretch = { readonly stage: SleepStage; readonly start: number; readonly end: number };

/** "In bed" says least, "asleep" says not how; a waking inside a sleep without stages is real. */
const SPECIFICITY: Readonly<Record<SleepStage, number>> = { in_bed: 0, asleep: 1, awake: 2, light: 2, deep: 2, rem: 2 };
const LEVELS = 3;
const MINUTE_MS = 60_000;

/** The night without overlaps, by time, clipped to [startMs, endMs); equal neighbours that touch are one stretch. */
export function flattenStages(stages: readonly StagePeriod[], startMs: number, endMs: number): StageStretch[] {
  return isFlat(stages) ? joinStages(stages, startMs, endMs) : layStages(stages, startMs, endMs);
}

/** How nearly all devices tell a night: one stage after the other. */
function isFlat(stages: readonly StagePeriod[]): boolean {
  return stages.every(
    ({ start, end }, index) => end >= start && (index === 0 || start >= (stages[index - 1] as StagePeriod).end),
  );
}

function joinStages(stages: readonly StagePeriod[], startMs: number, endMs: number): StageStretch[] {
  const stretches: StageStretch[] = [];
  for (const { stage, start, end } of stages) {
    const stretch = { stage, start: Math.max(start, startMs), end: Math.min(end, endMs) };
    if (stretch.end > stretch.start) append(stretches, stretch);
  }
  return stretches;
}

function layStages(stages: readonly StagePeriod[], startMs: number, endMs: number): StageStretch[] {
  const periods = stages
    .map(({ stage, start, end }) => ({ stage, start: Math.max(start, startMs), end: Math.min(end, endMs) }))
    .filter(({ start, end }) => end > start)
    .sort(comparePeriods);
  const borders = [...new Set(periods.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  // A stack a level: who began last is on top; who is over is taken off when he comes to the top.
  const open: StageStretch[][] = Array.from({ length: LEVELS }, () => []);
  const stretches: StageStretch[] = [];
  let next = 0;
  borders.forEach((border, index) => {
    for (let period = periods[next]; period?.start === border; period = periods[++next])
      open[SPECIFICITY[period.stage]]?.push(period);
    const stage = findStage(open, border);
    const end = borders[index + 1];
    if (stage !== null && end !== undefined) append(stretches, { stage, start: border, end });
  });
  return stretches;
}

/** Null for a stage that never occurs: not reported is not 0 (specification, sleep session). */
export function sumStages(stretches: readonly StageStretch[]): Record<SleepStage, number | null> {
  const minutes = Object.fromEntries(SLEEP_STAGES.map((stage) => [stage, null])) as Record<SleepStage, number | null>;
  for (const { stage, start, end } of stretches) minutes[stage] = (minutes[stage] ?? 0) + (end - start) / MINUTE_MS;
  return minutes;
}

export function isSleepStage(stage: SleepStage): boolean {
  return stage !== 'awake' && stage !== 'in_bed';
}

function findStage(open: readonly StageStretch[][], atMs: number): SleepStage | null {
  for (const stack of open.toReversed()) {
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      if (top.end > atMs) return top.stage;
      stack.pop();
    }
  }
  return null;
}

function append(stretches: StageStretch[], stretch: StageStretch): void {
  const before = stretches.at(-1);
  if (before?.stage === stretch.stage && before.end === stretch.start)
    stretches[stretches.length - 1] = { ...before, end: stretch.end };
  else stretches.push(stretch);
}

/** The one that wins among equally specific ones comes last. */
function comparePeriods(a: StageStretch, b: StageStretch): number {
  return a.start - b.start || b.end - a.end || SLEEP_STAGES.indexOf(a.stage) - SLEEP_STAGES.indexOf(b.stage);
}
