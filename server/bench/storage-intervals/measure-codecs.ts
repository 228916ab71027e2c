// Compares block intervals and compressions without a database: bytes per sample and microseconds per block.

import { decodeBlock, encodeBlock, splitIntoBlocks } from '../../src/domain/packed/sample-blocks/index.ts';
import { DAY_MS, HOUR_MS } from '../../src/domain/time/durations.ts';
import { presentTable } from '../support/present-table.ts';
import { COMPRESSIONS, type Compression, unpack } from './compressions.ts';
import { CADENCES, type Cadence, planUploads } from './generate-series.ts';

const USERS = 10; // one per kind of clock
const SPANS_HOURS = [1, 6, 24];

export function measureCodecs(days: number, rounds: number): string {
  const rows = CADENCES.flatMap((cadence) => {
    const uploads = planUploads(cadence, USERS, days, days * DAY_MS).flat();
    return SPANS_HOURS.flatMap((hours) => {
      const blocks = uploads
        .flatMap(({ columns }) => splitIntoBlocks(columns, hours * HOUR_MS))
        .map((part) => part.columns);
      const samples = blocks.reduce((sum, { starts }) => sum + starts.length, 0);
      return COMPRESSIONS.map((compression) => {
        const measured = measure(compression, blocks, rounds);
        return presentRow(cadence, hours, compression, samples / blocks.length, measured, samples);
      });
    });
  });
  const head = ['series', 'span', 'compression', 'bytes/sample', 'write µs/block', 'read µs/block', 'read M samples/s'];
  return presentTable(head, rows);
}

type Measured = { readonly bytes: number; readonly writeMicros: number; readonly readMicros: number };

function measure(
  { pack }: Compression,
  blocks: readonly Parameters<typeof encodeBlock>[0][],
  rounds: number,
): Measured {
  let best: Measured = { bytes: 0, writeMicros: Number.POSITIVE_INFINITY, readMicros: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round += 1) {
    const startMs = performance.now();
    const stored = blocks.map((block) => pack(encodeBlock(block)));
    const writtenMs = performance.now();
    for (const bytes of stored) decodeBlock(unpack(bytes));
    const readMs = performance.now();
    best = {
      bytes: stored.reduce((sum, { length }) => sum + length, 0),
      writeMicros: Math.min(best.writeMicros, ((writtenMs - startMs) * 1_000) / blocks.length),
      readMicros: Math.min(best.readMicros, ((readMs - writtenMs) * 1_000) / blocks.length),
    };
  }
  return best;
}

function presentRow(
  cadence: Cadence,
  hours: number,
  { name }: Compression,
  samplesPerBlock: number,
  { bytes, writeMicros, readMicros }: Measured,
  samples: number,
): string[] {
  const numbers = [bytes / samples, writeMicros, readMicros, samplesPerBlock / readMicros];
  return [cadence.name, `${hours} h`, name, ...numbers.map((number) => number.toFixed(2))];
}
