// The strokes of a result: tenths of a second and decimetres since its start.
import type { Workout } from '../../domain/records/records.ts';
import { machineOf } from './results.ts';

/** Per minute, and the pace in tenths of a second per 500 m (bike: 1,000 m). */
const ROWING = { spm: 24, p: 1_220 };
const CYCLING = { spm: 82, p: 1_150 };

export function listStrokes(workout: Workout) {
  const isBike = machineOf(workout) === 'bike';
  const { spm, p } = isBike ? CYCLING : ROWING;
  const tenthsPerDecimeter = p / (isBike ? 10_000 : 5_000);
  return (workout.heartRateSamples ?? []).map(({ time, bpm }) => {
    const t = Math.round((time - workout.start) / 100);
    return { t, d: Math.round(t / tenthsPerDecimeter), p, spm, hr: bpm };
  });
}
