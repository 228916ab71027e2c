// Reads TCX: activities with laps and track points.
import { importError } from '../import-error.ts';
import type { ImportSink, ImportWorkout } from '../import-sink.ts';
import type { LocalTimes } from '../local-times.ts';
import { addPoint, makeWorkout, sourceOfFile, type TrackPoint, toNumber } from './make-workout.ts';
import { readXml } from './read-xml.ts';

type Activity = {
  sport: string;
  startMs: number;
  writer: string | null;
  seconds: number;
  meters: number;
  calories: number;
  maxBpm: number;
  points: TrackPoint[];
};
type OpenPoint = { -readonly [Field in keyof TrackPoint]: TrackPoint[Field] };

export async function readTcx(
  texts: AsyncIterable<string>,
  name: string,
  times: LocalTimes,
  sink: ImportSink,
): Promise<void> {
  let activity: Activity | null = null;
  let point: OpenPoint | null = null;
  let hasActivity = false;
  await readXml(texts, name, {
    open(tag, { Sport: sport = 'other' }) {
      if (tag === 'Activity') {
        hasActivity = true;
        activity = {
          ...{ sport, startMs: Number.NaN, writer: null, seconds: 0, meters: 0, calories: 0, maxBpm: 0 },
          points: [],
        };
      }
      if (tag === 'Trackpoint') point = { ms: Number.NaN };
    },
    close(tag, text, path) {
      if (activity === null) return;
      const parent = path.at(-1);
      if (tag === 'Trackpoint' && point !== null) {
        addPoint(activity.points, point, name);
        point = null;
      } else if (point !== null) readPoint(point, times, tag, parent, text);
      else if (parent === 'Lap') readLap(activity, tag, text);
      else if (tag === 'Value' && parent === 'MaximumHeartRateBpm')
        activity.maxBpm = Math.max(activity.maxBpm, toNumber(text) ?? 0);
      else if (tag === 'Id') activity.startMs = times.parse(text);
      else if (tag === 'Name' && parent === 'Creator') activity.writer = text;
      else if (tag === 'Activity') {
        addActivity(sink, activity, name);
        activity = null;
      }
    },
  });
  if (!hasActivity)
    throw importError(
      'the file has no activity, perhaps only a course or a workout plan. Export the recorded activity instead.',
      name,
    );
}

function readPoint(point: OpenPoint, times: LocalTimes, tag: string, parent: string | undefined, text: string): void {
  if (tag === 'Time') point.ms = times.parse(text);
  else if (tag === 'DistanceMeters') point.distanceM = toNumber(text);
  else if (tag === 'AltitudeMeters') point.altitudeM = toNumber(text);
  else if (tag === 'Value' && parent === 'HeartRateBpm') point.bpm = toNumber(text);
  else if (tag === 'LatitudeDegrees') point.latitude = toNumber(text);
  else if (tag === 'LongitudeDegrees') point.longitude = toNumber(text);
}

function readLap(activity: Activity, tag: string, text: string): void {
  if (tag === 'TotalTimeSeconds') activity.seconds += toNumber(text) ?? 0;
  else if (tag === 'DistanceMeters') activity.meters += toNumber(text) ?? 0;
  else if (tag === 'Calories') activity.calories += toNumber(text) ?? 0;
}

function addActivity(sink: ImportSink, activity: Activity, position: string): void {
  const { sport, startMs, seconds, meters, calories, maxBpm, points, writer } = activity;
  const stated: Partial<ImportWorkout> = {
    ...(seconds > 0 && { duration_minutes: seconds / 60 }),
    ...(meters > 0 && { distance_km: meters / 1_000 }),
    ...(calories > 0 && { active_calories: calories }),
    ...(maxBpm > 0 && { heart_rate: { max_bpm: maxBpm } }),
  };
  const start = Number.isFinite(startMs) ? startMs : null;
  const endMs = start === null ? null : start + seconds * 1_000;
  const workout = makeWorkout({ sport, name: null, points, stated, startMs: start, endMs });
  if (workout === null) sink.reject('the activity has no valid times', position);
  else sink.add(sourceOfFile(writer), 'workouts', workout, position);
}
