// Reads FIT: the sessions of an activity file, each with the heart rates of its records, and weights of a scale.

import { SECOND_MS } from '../../../../domain/time/durations.ts';
import { hasValidFitChecksum } from '../../../../providers/has-valid-fit-checksum.ts';
import { type FitFile, type FitRecord, type FitSession, parseFit } from '../../../../providers/parse-fit.ts';
import { importError } from '../import-error.ts';
import type { ImportSink, ImportWorkout } from '../import-sink.ts';
import { toTime } from '../to-time.ts';
import { makeWorkout, sourceOfFile, type TrackPoint } from './make-workout.ts';

/** A week of records every second has 20 MB. */
export const MAX_FIT_BYTES = 64 * 1_048_576;

export function readFit(bytes: Buffer, name: string, sink: ImportSink): void {
  let fit: FitFile;
  try {
    fit = parseFit(bytes);
  } catch (error) {
    throw importError(`this FIT file cannot be read (${String((error as Error).message ?? error)})`, name);
  }
  if (!hasValidFitChecksum(bytes))
    throw importError(
      'the checksum of this FIT file does not match, so it is damaged. Nothing of it was imported. Copy it from the device or download it again.',
      name,
    );
  const source = sourceOfFile(fit.writer);
  const points = fit.records.map(toPoint);
  for (const session of fit.sessions) {
    const { start } = session;
    const endMs = (start ?? Number.NaN) + (session.elapsedS ?? 0) * SECOND_MS;
    const workout = makeWorkout({
      sport: session.sport ?? 'other',
      name: null,
      points: start === null ? [] : points.filter(({ ms }) => ms >= start && ms <= endMs),
      stated: statedTotals(session),
      ...(start !== null && { startMs: start, endMs }),
    });
    if (workout === null) sink.reject('the session has no valid times', name);
    else sink.add(source, 'workouts', workout, name);
  }
  for (const { time, kg } of fit.weights) {
    const start = toTime(time ?? Number.NaN);
    if (kg !== null && start !== null)
      sink.add(source, 'samples', { metric: 'weight', start, value: kg, unit: 'kg' }, name);
  }
  if (fit.sessions.length + fit.weights.length === 0) sink.skip('FIT files without an activity');
}

function statedTotals({ timerS, distanceM, kcal, ascentM, avgBpm, maxBpm }: FitSession): Partial<ImportWorkout> {
  return {
    ...(timerS !== null && { duration_minutes: timerS / 60 }),
    ...(distanceM !== null && { distance_km: distanceM / 1_000 }),
    ...(kcal !== null && { active_calories: kcal }),
    ...(ascentM !== null && { elevation_gain_m: ascentM }),
    ...((avgBpm !== null || maxBpm !== null) && { heart_rate: { avg_bpm: avgBpm, max_bpm: maxBpm } }),
  };
}

function toPoint({ time, bpm, altitudeM, distanceM }: FitRecord): TrackPoint {
  return { ms: time ?? Number.NaN, bpm, altitudeM, distanceM };
}
