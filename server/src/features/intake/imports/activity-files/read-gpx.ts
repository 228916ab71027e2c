// Reads GPX: one workout per track, with its length, rises and heart rates.
import { importError } from '../import-error.ts';
import type { ImportSink } from '../import-sink.ts';
import { createLocalTimes } from '../local-times.ts';
import { shortenText } from '../shorten-text.ts';
import { addPoint, makeWorkout, sourceOfFile, type TrackPoint, toNumber } from './make-workout.ts';
import { readXml } from './read-xml.ts';

type OpenPoint = { -readonly [Field in keyof TrackPoint]: TrackPoint[Field] };

/** By the schema of GPX, times without an offset are in UTC. */
const times = createLocalTimes(null);

export async function readGpx(texts: AsyncIterable<string>, name: string, sink: ImportSink): Promise<void> {
  let writer: string | null = null;
  let track: { sport: string; name: string | null; points: TrackPoint[] } | null = null;
  let point: OpenPoint | null = null;
  let hasTrack = false;
  await readXml(texts, name, {
    open(tag, { creator, lat, lon }) {
      if (tag === 'gpx') writer = creator ?? null;
      if (tag === 'trk') {
        track = { sport: 'other', name: null, points: [] };
        hasTrack = true;
      }
      if (tag === 'trkpt') point = { ms: Number.NaN, latitude: toNumber(lat), longitude: toNumber(lon) };
    },
    close(tag, text, path) {
      if (track === null) return;
      if (tag === 'trkpt' && point !== null) {
        addPoint(track.points, point, name);
        point = null;
      } else if (point !== null) {
        if (tag === 'time') point.ms = times.parse(text);
        else if (tag === 'ele') point.altitudeM = toNumber(text);
        else if (tag === 'hr') point.bpm = toNumber(text);
      } else if (tag === 'name' && path.at(-1) === 'trk') track.name = shortenText(text, 255) || null;
      else if (tag === 'type' && path.at(-1) === 'trk') track.sport = text || 'other';
      else if (tag === 'trk') {
        const workout = makeWorkout({ ...track, stated: {} });
        if (workout === null) sink.reject('the track has no times, so it is a route and not a workout', name);
        else sink.add(sourceOfFile(writer), 'workouts', workout, name);
        track = null;
      }
    },
  });
  if (!hasTrack)
    throw importError(
      'the file has no track, only a route or waypoints, which have no times. Export the recorded activity instead.',
      name,
    );
}
