// Reads FIT: the sessions of an activity file, each with the heart rates of its records, and weights of a scale.
import {
  type FitFile,
  type FitMessage,
  fitNumber,
  fitTime,
  parseFit,
  sportOfFit,
} from '../../../../platform/fit/parse-fit.ts';
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
  const source = sourceOfFile(describeWriter(fit.file_ids[0]));
  const points = fit.records.map(toPoint);
  for (const session of fit.sessions) {
    const startMs = fitTime(session.start_time);
    const endMs = startMs + (fitNumber(session.total_elapsed_time) ?? 0) * 1_000;
    const inSession = points.filter(({ ms }) => ms >= startMs && ms <= endMs);
    const workout = makeWorkout({
      sport: sportOfFit(session) ?? 'other',
      name: null,
      points: inSession,
      stated: statedTotals(session),
      ...(Number.isFinite(startMs) && { startMs, endMs }),
    });
    if (workout === null) sink.reject('the session has no valid times', name);
    else sink.add(source, 'workouts', workout, name);
  }
  for (const { timestamp, weight } of fit.weight_scales) {
    const value = fitNumber(weight);
    const start = toTime(fitTime(timestamp));
    if (value !== null && start !== null)
      sink.add(source, 'samples', { metric: 'weight', start, value, unit: 'kg' }, name);
  }
  if (fit.sessions.length + fit.weight_scales.length === 0) sink.skip('FIT files without an activity');
}

function statedTotals(session: FitMessage): Partial<ImportWorkout> {
  const seconds = fitNumber(session.total_timer_time);
  const meters = fitNumber(session.total_distance);
  const kcal = fitNumber(session.total_calories);
  const rises = fitNumber(session.total_ascent);
  const [average, maximum] = [fitNumber(session.avg_heart_rate), fitNumber(session.max_heart_rate)];
  return {
    ...(seconds !== null && { duration_minutes: seconds / 60 }),
    ...(meters !== null && { distance_km: meters / 1_000 }),
    ...(kcal !== null && { active_calories: kcal }),
    ...(rises !== null && { elevation_gain_m: rises }),
    ...((average !== null || maximum !== null) && { heart_rate: { avg_bpm: average, max_bpm: maximum } }),
  };
}

function toPoint(record: FitMessage): TrackPoint {
  return {
    ms: fitTime(record.timestamp),
    bpm: fitNumber(record.heart_rate),
    altitudeM: fitNumber(record.enhanced_altitude) ?? fitNumber(record.altitude),
    distanceM: fitNumber(record.distance),
  };
}

function describeWriter(file: FitMessage | undefined): string | null {
  const { manufacturer, product_name: product } = file ?? {};
  const words = [manufacturer, product].filter((word) => typeof word === 'string');
  return words.length === 0 ? null : words.join(' ');
}
