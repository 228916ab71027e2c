// A workout from the points of a track. Totals that the file states win over those that follow from its points.

import { MAX_REPORTED_POINTS } from '../../../../domain/records/check-route.ts';
import { MAX_HEART_RATES } from '../../../../domain/records/check-workout.ts';
import { MINUTE_MS } from '../../../../domain/time/durations.ts';
import { importError } from '../import-error.ts';
import type { ImportSource, ImportWorkout } from '../import-sink.ts';
import { shortenText } from '../shorten-text.ts';
import { isTime, toTime } from '../to-time.ts';

export type TrackPoint = {
  readonly ms: number;
  readonly bpm?: number | null;
  readonly altitudeM?: number | null;
  /** Since the start. */
  readonly distanceM?: number | null;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
};

type Track = {
  readonly sport: string;
  readonly name: string | null;
  readonly points: readonly TrackPoint[];
  readonly stated: Partial<ImportWorkout>;
  readonly startMs?: number | null;
  readonly endMs?: number | null;
};

/** A track is in memory as a whole. */
export function addPoint(points: TrackPoint[], point: TrackPoint, name: string): void {
  if (points.length === MAX_REPORTED_POINTS)
    throw importError(
      `has a track with more than ${MAX_REPORTED_POINTS} points. Split it, and import the parts.`,
      name,
    );
  points.push(point);
}

/** Null for an empty element, which is not a zero, and for text that is not a number. */
export function toNumber(text: string | undefined): number | null {
  const number = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

const EARTH_RADIUS_M = 6_371_000;
/** Barometers and satellites are noisy: a rise counts once it is this large. */
const RISE_M = 3;

/** Null: the track has no valid times, for example because it is a plan and not a workout. */
export function makeWorkout({ sport, name, points, stated, startMs, endMs }: Track): ImportWorkout | null {
  const timed = points.filter(({ ms }) => isTime(ms)).sort((a, b) => a.ms - b.ms);
  const fromMs = startMs ?? timed[0]?.ms ?? Number.NaN;
  const toMs = Math.max(endMs ?? 0, timed.at(-1)?.ms ?? 0);
  const [start, end] = [toTime(fromMs), toTime(toMs)];
  if (start === null || end === null || toMs <= fromMs) return null;
  const samples = listHeartRates(timed, fromMs);
  const { heart_rate: heartRate, ...totals } = stated;
  const meters = timed.findLast(({ distanceM }) => distanceM !== null && distanceM !== undefined)?.distanceM;
  return {
    sport_type: sport,
    name,
    start,
    end,
    duration_minutes: (toMs - fromMs) / MINUTE_MS,
    distance_km: toKm(meters ?? measure(timed)),
    elevation_gain_m: sumRises(timed),
    ...totals,
    ...((samples.length > 0 || heartRate !== undefined) && {
      heart_rate: { ...heartRate, ...(samples.length > 0 && { samples }) },
    }),
    recording_method: 'active',
  };
}

function listHeartRates(points: readonly TrackPoint[], fromMs: number): { timestamp: string; bpm: number }[] {
  const rates = points.flatMap(({ ms, bpm }) => {
    const timestamp = bpm && bpm > 0 && ms >= fromMs ? toTime(ms) : null;
    return timestamp === null ? [] : [{ timestamp, bpm: bpm as number }];
  });
  return rates.slice(0, MAX_HEART_RATES);
}

/** The program or device that wrote a file. */
export function sourceOfFile(writer: string | null): ImportSource {
  const name = shortenText((writer ?? '').trim(), 200) || 'Imported activities';
  const known = sources.get(name) ?? { provider: 'file', id: `import ${name}`, name };
  if (sources.size < MAX_SOURCES) sources.set(name, known);
  return known;
}

const sources = new Map<string, ImportSource>();
const MAX_SOURCES = 1_000;

function toKm(meters: number | null): number | null {
  return meters === null ? null : meters / 1_000;
}

/** The length of the track, if it has positions. */
function measure(points: readonly TrackPoint[]): number | null {
  const placed = points.filter(({ latitude, longitude }) => Number.isFinite(latitude) && Number.isFinite(longitude));
  if (placed.length < 2) return null;
  return placed.slice(1).reduce((sum, point, index) => sum + distance(placed[index] as TrackPoint, point), 0);
}

function distance(from: TrackPoint, to: TrackPoint): number {
  const radians = (degrees: number | null | undefined) => ((degrees ?? 0) * Math.PI) / 180;
  const [a, b] = [radians(from.latitude), radians(to.latitude)];
  const half = (angle: number) => Math.sin(angle / 2) ** 2;
  const chord = half(b - a) + Math.cos(a) * Math.cos(b) * half(radians(to.longitude) - radians(from.longitude));
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(chord)));
}

function sumRises(points: readonly TrackPoint[]): number | null {
  let low: number | null = null;
  let sum = 0;
  for (const { altitudeM } of points) {
    if (altitudeM === null || altitudeM === undefined) continue;
    if (low !== null && altitudeM - low >= RISE_M) sum += altitudeM - low;
    if (low === null || altitudeM < low || altitudeM - low >= RISE_M) low = altitudeM;
  }
  return low === null ? null : sum;
}
