// Encodes a workout's heart-rate trace and decodes it bit for bit. Each block is preceded by its length, because a long trace (a week with
// one sample per second) needs several blocks.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import { decodeBlock, encodeBlock, MAX_BLOCK_SAMPLES } from '../../../domain/packed/sample-blocks/index.ts';
import type { EpochMs, HeartRateSample, Workout } from '../../../domain/records/records.ts';

const LENGTH_BYTES = 4;
const DIGEST_CHARACTERS = 22; // 128 bits: a collision would only affect a user's own traces

type EncodedTrace = { readonly bytes: Buffer; readonly digest: string };

/** Not compressed yet, because only new traces are stored. */
export function encodeTrace(workout: Workout): EncodedTrace | null {
  const samples = sortByTime(workout.heartRateSamples ?? []);
  if (samples.length === 0) return null;
  const pieces: Uint8Array[] = [];
  for (let from = 0; from < samples.length; from += MAX_BLOCK_SAMPLES) {
    const block = encodePart(samples.slice(from, from + MAX_BLOCK_SAMPLES), workout);
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(block.length);
    pieces.push(length, block);
  }
  const bytes = Buffer.concat(pieces);
  return { bytes, digest: createHash('sha256').update(bytes).digest('base64url').slice(0, DIGEST_CHARACTERS) };
}

const deflate = promisify(deflateRaw);

export function compressTrace(bytes: Uint8Array): Promise<Buffer> {
  return deflate(bytes, { level: 1 });
}

export function decodeTrace(compressed: Buffer): HeartRateSample[] {
  const bytes = inflateRawSync(compressed);
  const samples: HeartRateSample[] = [];
  for (let position = 0; position < bytes.length; ) {
    const end = position + LENGTH_BYTES + bytes.readUInt32LE(position);
    const { starts, values } = decodeBlock(bytes.subarray(position + LENGTH_BYTES, end));
    starts.forEach((time, index) => void samples.push({ time: time as EpochMs, bpm: values[index] as number }));
    position = end;
  }
  return samples;
}

function encodePart(samples: readonly HeartRateSample[], { offsetMinutes, method }: Workout): Uint8Array {
  return encodeBlock({
    starts: Float64Array.from(samples, ({ time }) => time),
    ends: null,
    values: Float64Array.from(samples, ({ bpm }) => bpm),
    runs: [{ count: samples.length, unit: 'bpm', offsetMinutes, method }],
  });
}

/** Of two samples with the same time, keeps the last one in the list. */
function sortByTime(samples: readonly HeartRateSample[]): readonly HeartRateSample[] {
  const sorted = samples.toSorted((a, b) => a.time - b.time);
  return sorted.filter(({ time }, index) => sorted[index + 1]?.time !== time);
}
