// A month of samples of one device, identical on every run, with the time each sample reaches the service.

import { columnsOfSamples, type SampleColumns } from '../../src/domain/packed/sample-blocks/index.ts';
import type { EpochMs, Sample } from '../../src/domain/records/records.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/domain/time/durations.ts';
import { createRandom } from '../support/random.ts';

export type Cadence = { readonly name: string; readonly stepMs: number };
export type Upload = { readonly user: number; readonly columns: SampleColumns };

export const CADENCES: readonly Cadence[] = [
  { name: 'dense, 10 s', stepMs: 10_000 },
  { name: 'sparse, 5 min', stepMs: 5 * MINUTE_MS },
];
export const FIRST_MS = Date.UTC(2026, 2, 1);

const LATE_SHARE = 0.01; // the share that the benchmark was specified with
const LATE_LIMIT_MS = 3 * DAY_MS;
const CORRECTED_SHARE = 0.002; // sent again with another value, at most one day later
const GAP_SHARE = 0.02;
/** Of ten devices, this many use whole seconds near the interval, and this many milliseconds; the others are exact. */
const SECONDS_DEVICES = 2;
const MILLISECONDS_DEVICES = 1;
const JITTER_MS = 2_000;

/** Single late samples are the worst case for every block size; a phone without network sends whole hours. */
export type Late = 'one by one' | 'by the hour';

/** Grouped by upload time. */
export function planUploads(
  cadence: Cadence,
  users: number,
  days: number,
  everyMs: number,
  late: Late = 'one by one',
): Upload[][] {
  const slots = Array.from({ length: (days * DAY_MS) / everyMs }, (): Upload[] => []);
  for (let user = 0; user < users; user += 1) {
    const due = slots.map((): Sample[] => []);
    for (const { sample, arrivesMs } of generateSeries(cadence, user, days, late)) {
      const slot = Math.min(Math.floor((arrivesMs - FIRST_MS) / everyMs), slots.length - 1);
      due[slot]?.push(sample);
    }
    for (const [slot, samples] of due.entries())
      if (samples.length > 0) slots[slot]?.push({ user, columns: columnsOfSamples(samples) });
  }
  return slots;
}

function* generateSeries({ stepMs }: Cadence, user: number, days: number, late: Late) {
  const random = createRandom(user * 7_919 + stepMs);
  let level = 60 + random() * 20;
  let lastMs = 0;
  let lateMs = 0;
  for (let beatMs = FIRST_MS; beatMs < FIRST_MS + days * DAY_MS; beatMs += stepMs) {
    level += (random() - 0.5) * 4 + (70 - level) * 0.02;
    if (random() < GAP_SHARE) continue;
    const start = Math.max(lastMs + 1, beatMs + jitter(user, random()));
    lastMs = start;
    const sample = makeSample(start, user, level, stepMs);
    if (late === 'one by one' || beatMs % HOUR_MS < stepMs)
      lateMs = random() < LATE_SHARE ? random() * LATE_LIMIT_MS : 0;
    yield { sample, arrivesMs: start + lateMs };
    if (random() < CORRECTED_SHARE)
      yield { sample: { ...sample, value: sample.value + 1 }, arrivesMs: start + lateMs + random() * DAY_MS };
  }
}

/** Dense devices report whole beats; half of the sparse ones report a decimal. */
function makeSample(start: number, user: number, level: number, stepMs: number): Sample {
  const decimals = stepMs > MINUTE_MS && user % 2 === 1 ? 10 : 1;
  const time = start as EpochMs;
  const value = Math.round(level * decimals) / decimals;
  return { start: time, end: time, value, unit: 'bpm', offsetMinutes: 60, method: 'automatic' };
}

function jitter(user: number, share: number): number {
  const kind = user % 10;
  if (kind < MILLISECONDS_DEVICES) return Math.floor(share * JITTER_MS);
  if (kind < MILLISECONDS_DEVICES + SECONDS_DEVICES) return Math.floor((share * JITTER_MS) / 1_000) * 1_000;
  return 0;
}
