// Reads the FIT file of a workout. A large one is read in a thread: it could otherwise block the event loop, and a hostile one could
// take all memory. The points come back as numbers, because copying objects between threads takes as long as reading the file.
import type { EpochMs, HeartRateSample, RoutePoint } from '../../../../domain/records/records.ts';
import { AppError } from '../../../../platform/errors.ts';
import type { Services } from '../../../../platform/services.ts';
import type { ThreadOutput } from '../../../../platform/threads/thread.ts';
import { ReadFile, type Recording, readIfReadable } from '../../../../providers/read-recording.ts';

export type FileServices = Pick<Services, 'log' | 'threads'>;
type Input = { readonly bytes: Uint8Array<ArrayBuffer> };
/** `route`: time, latitude, longitude and elevation of each point. `heartRates`: time and bpm. NaN: not known. */
type PackedRecording = Pick<Recording, 'laps' | 'sport'> & {
  readonly route: Float64Array<ArrayBuffer>;
  readonly heartRates: Float64Array<ArrayBuffer>;
};

/** Half an hour of a bike computer; reading it takes the event loop a millisecond or two. */
const SMALL_BYTES = 65_536;
/** A hundred times what the largest file takes. */
const LIMIT_MS = 60_000;

/** Throws `overloaded` if too many files of the account wait. */
export async function readFile({ threads, log }: FileServices, account: string, file: Uint8Array): Promise<ReadFile> {
  if (file.length <= SMALL_BYTES) return new ReadFile(readIfReadable(file));
  const bytes = new Uint8Array(file); // a buffer of the runtime's pool cannot be transferred
  try {
    const packed = await threads.run<PackedRecording | null>({
      module: new URL(import.meta.url),
      input: { bytes } satisfies Input,
      transfer: [bytes.buffer],
      account: `files of ${account}`,
      limitMs: LIMIT_MS,
    });
    return new ReadFile(packed && unpackRecording(packed));
  } catch (error) {
    if (isOverloaded(error)) throw error;
    log.warn({ err: error, bytes: file.length }, 'a thread could not read the file of a workout');
    return new ReadFile(null);
  }
}

export function isOverloaded(error: unknown): boolean {
  return error instanceof AppError && error.code === 'overloaded';
}

/** Runs in the thread. */
export default function readForCaller({ bytes }: Input): ThreadOutput<PackedRecording | null> {
  const recording = readIfReadable(bytes);
  if (recording === null) return { output: null, transfer: [] };
  const output = packRecording(recording);
  return { output, transfer: [output.route.buffer, output.heartRates.buffer] };
}

function packRecording({ sport, laps, route, heartRateSamples }: Recording): PackedRecording {
  const points = route ?? [];
  const packedRoute = new Float64Array(points.length * 4);
  for (const [index, { time, latitude, longitude, elevationM }] of points.entries())
    packedRoute.set([time, latitude, longitude, elevationM ?? Number.NaN], index * 4);
  const samples = heartRateSamples ?? [];
  const heartRates = new Float64Array(samples.length * 2);
  for (const [index, { time, bpm }] of samples.entries()) heartRates.set([time, bpm], index * 2);
  return { sport, laps: laps ?? null, route: packedRoute, heartRates };
}

function unpackRecording({ sport, laps, route, heartRates }: PackedRecording): Recording {
  const points = Array.from({ length: route.length / 4 }, (_, index): RoutePoint => {
    const at = index * 4;
    const elevation = route[at + 3] as number;
    return {
      time: route[at] as EpochMs,
      latitude: route[at + 1] as number,
      longitude: route[at + 2] as number,
      elevationM: Number.isNaN(elevation) ? null : elevation,
    };
  });
  const samples = Array.from(
    { length: heartRates.length / 2 },
    (_, index): HeartRateSample => ({
      time: heartRates[index * 2] as EpochMs,
      bpm: heartRates[index * 2 + 1] as number,
    }),
  );
  return {
    sport,
    laps: laps ?? null,
    route: points.length === 0 ? null : points,
    heartRateSamples: samples.length === 0 ? null : samples,
  };
}
