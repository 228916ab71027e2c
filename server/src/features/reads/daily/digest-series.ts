// A short digest of what a response shows. It is part of the ETag, because the data revision and the values can come from different
// snapshots: in long reads, and where the tables of health data are distributed over several servers.
import { crc32 } from 'node:zlib';
import type { DailySeries } from './daily-read-model.ts';

/** Together with the data revision: only bodies of neighbouring revisions can share a revision, so 32 bits suffice. */
export function digestSeries(series: readonly DailySeries[]): string {
  let digest = 0;
  let withValues = '';
  for (const [index, { values, sources, hrvKinds }] of series.entries()) {
    if (values === null) continue;
    withValues += `${index} `;
    digest = crc32(bytesOf(values), digest);
    if (sources !== null || hrvKinds) digest = crc32(JSON.stringify([sources, hrvKinds ?? null]), digest);
  }
  digest = crc32(withValues, digest);
  return digest.toString(36);
}

function bytesOf(values: Float64Array): Uint8Array {
  return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
}
