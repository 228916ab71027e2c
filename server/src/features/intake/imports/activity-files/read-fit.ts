// Reads FIT: the sessions of an activity file, each with the heart rates of its records, and weights of a scale.
import FitParser from 'fit-file-parser';
import { importError } from '../import-error.ts';
import type { ImportSink, ImportWorkout } from '../import-sink.ts';
import { toTime } from '../to-time.ts';
import { makeWorkout, sourceOfFile, type TrackPoint } from './make-workout.ts';

/** The fields that are used, of the messages that the parser knows. */
type Message = Readonly<Record<string, unknown>>;
type Fit = {
  readonly sessions?: readonly Message[];
  readonly records?: readonly Message[];
  readonly file_ids?: readonly Message[];
  readonly weight_scales?: readonly Message[];
};

/** A week of records every second has 20 MB. */
export const MAX_FIT_BYTES = 64 * 1_048_576;
const GENERIC_SPORTS: ReadonlySet<unknown> = new Set(['generic', 'training', 'fitness_equipment']);

export async function readFit(bytes: Buffer, name: string, sink: ImportSink): Promise<void> {
  let fit: Fit;
  try {
    const content = Uint8Array.from(bytes).buffer;
    fit = (await new FitParser({ mode: 'list', lengthUnit: 'm' }).parseAsync(content)) as unknown as Fit;
  } catch (error) {
    throw importError(`this FIT file cannot be read (${String((error as Error).message ?? error)})`, name);
  }
  const source = sourceOfFile(describeWriter(fit.file_ids?.[0]));
  const points = (fit.records ?? []).map(toPoint);
  for (const session of fit.sessions ?? []) {
    const startMs = toMs(session.start_time);
    const endMs = startMs + (toNumber(session.total_elapsed_time) ?? 0) * 1_000;
    const inSession = points.filter(({ ms }) => ms >= startMs && ms <= endMs);
    const workout = makeWorkout({
      sport: sportOf(session),
      name: null,
      points: inSession,
      stated: statedTotals(session),
      ...(Number.isFinite(startMs) && { startMs, endMs }),
    });
    if (workout === null) sink.reject('the session has no valid times', name);
    else sink.add(source, 'workouts', workout, name);
  }
  for (const { timestamp, weight } of fit.weight_scales ?? []) {
    const value = toNumber(weight);
    const start = toTime(toMs(timestamp));
    if (value !== null && start !== null)
      sink.add(source, 'samples', { metric: 'weight', start, value, unit: 'kg' }, name);
  }
  if ((fit.sessions ?? []).length + (fit.weight_scales ?? []).length === 0) sink.skip('FIT files without an activity');
}

function sportOf({ sport, sub_sport: detail }: Message): string {
  if (GENERIC_SPORTS.has(sport) && typeof detail === 'string' && detail !== 'generic') return detail;
  return typeof sport === 'string' ? sport : 'other';
}

function statedTotals(session: Message): Partial<ImportWorkout> {
  const seconds = toNumber(session.total_timer_time);
  const meters = toNumber(session.total_distance);
  const kcal = toNumber(session.total_calories);
  const rises = toNumber(session.total_ascent);
  const [average, maximum] = [toNumber(session.avg_heart_rate), toNumber(session.max_heart_rate)];
  return {
    ...(seconds !== null && { duration_minutes: seconds / 60 }),
    ...(meters !== null && { distance_km: meters / 1_000 }),
    ...(kcal !== null && { active_calories: kcal }),
    ...(rises !== null && { elevation_gain_m: rises }),
    ...((average !== null || maximum !== null) && { heart_rate: { avg_bpm: average, max_bpm: maximum } }),
  };
}

function toPoint(record: Message): TrackPoint {
  return {
    ms: toMs(record.timestamp),
    bpm: toNumber(record.heart_rate),
    altitudeM: toNumber(record.enhanced_altitude) ?? toNumber(record.altitude),
    distanceM: toNumber(record.distance),
  };
}

function describeWriter(file: Message | undefined): string | null {
  const { manufacturer, product_name: product } = file ?? {};
  const words = [manufacturer, product].filter((word) => typeof word === 'string');
  return words.length === 0 ? null : words.join(' ');
}

function toMs(value: unknown): number {
  return value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

function toNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
