// Benchmarks parsing one device-day of heart rate, from body bytes to validated columns, against JSON.parse of the same bytes.

import { gzipSync, zstdCompressSync } from 'node:zlib';
import { DAY_MS } from '../src/domain/time/durations.ts';
import { parseUpload } from '../src/features/intake/uploads/index.ts';
import { type Encoding, parseJsonBytes, unpackBody } from '../src/platform/http/packed-body.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';
import { median } from './support/statistics.ts';

type Contestant = { readonly name: string; readonly bytes: number; run(): Promise<unknown> | unknown };

const SAMPLES = 8_640; // one day, one every ten seconds
const ROUNDS = 15;
const UPLOADS_PER_ROUND = 20;
const WARM_UP_ROUNDS = 5;
const DAY_START_MS = Date.UTC(2026, 0, 31);
const CONTEXT = {
  scopes: ['vitals'],
  sources: ['apple_health'],
  now: new Date(DAY_START_MS + 2 * DAY_MS),
} as const;

export async function benchUploadParse(): Promise<string> {
  const json = Buffer.from(JSON.stringify(makeUpload()));
  const packed = { identity: json, gzip: gzipSync(json), zstd: zstdCompressSync(json) };
  const parsed = JSON.parse(json.toString());
  const contestants: Contestant[] = [
    { name: '(a) bare JSON.parse', bytes: json.length, run: () => JSON.parse(json.toString()) },
    { name: 'checks alone', bytes: json.length, run: () => parse(parsed) },
    { name: 'JSON.parse and checks', bytes: json.length, run: () => parse(parseJsonBytes(json)) },
    ...Object.entries(packed).map(([encoding, bytes]) => ({
      name: `unpacked, ${encoding}`,
      bytes: bytes.length,
      run: async () => parse(parseJsonBytes(await unpackBody({ bytes, encoding: encoding as Encoding }))),
    })),
  ];
  return present(contestants, await measureAlternating(contestants));
}

function parse(json: unknown): void {
  const { rejectedCount } = parseUpload(json, CONTEXT);
  if (rejectedCount !== 0) throw new Error('the upload is invalid');
}

function makeUpload(): unknown {
  const samples = Array.from({ length: SAMPLES }, (_, index) => ({
    metric: 'heart_rate',
    start: new Date(DAY_START_MS + index * 10_000).toISOString().replace('.000', ''),
    value: 55 + Math.round(20 * Math.sin(index / 300) + 5 * Math.sin(index * 7)),
    unit: 'bpm',
  }));
  return {
    upload_id: '01a94c3e-0000-7000-8000-000000000000',
    source: { provider: 'apple_health', id: 'watch' },
    samples,
  };
}

/** Alternates the contestants round by round, so that other load on the machine affects all of them. */
async function measureAlternating(contestants: readonly Contestant[]): Promise<number[][]> {
  const perUploadMs: number[][] = contestants.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [index, { run }] of contestants.entries()) {
      const startMs = performance.now();
      for (let count = 0; count < UPLOADS_PER_ROUND; count += 1) await run();
      if (round >= 0) perUploadMs[index]?.push((performance.now() - startMs) / UPLOADS_PER_ROUND);
    }
  }
  return perUploadMs;
}

function present(contestants: readonly Contestant[], results: readonly number[][]): string {
  const rows = contestants.map(({ name, bytes }, index) => {
    const times = results[index] ?? [];
    const ratio = median(times.map((ms, round) => ms / (results[0]?.[round] ?? Number.NaN)));
    const perSecond = Math.round(SAMPLES / (median(times) / 1000));
    return [
      name,
      String(Math.round(bytes / 1000)),
      median(times).toFixed(2),
      perSecond.toLocaleString('en'),
      ratio.toFixed(2),
    ];
  });
  const conditions = `${SAMPLES.toLocaleString('en')} heart-rate samples per upload; ${ROUNDS} rounds of ${UPLOADS_PER_ROUND} alternating, medians`;
  const head = ['', 'kB', 'ms', 'samples/s', 'time of (a)'];
  return [describeMachine(), conditions, '', presentTable(head, rows), ''].join('\n');
}
