// When each device recorded data, as bits. Pure.
import { BLOCK_LENGTH_MS } from '../../../domain/packed/sample-blocks/index.ts';
import type { DeviceNumber, UserId } from '../../../domain/tenancy.ts';
import { DAY_MS } from '../../../domain/time/durations.ts';

export const COVERAGE_DAYS = 7;
/**
 * Each bit is six hours in UTC, the length of a sample block, so that no block has to be decoded. It is set if the device recorded a sample
 * that starts in these hours, or a sleep that overlaps them. The first bit is the lowest of the first byte.
 */
export const COVERAGE_STEP_MS = BLOCK_LENGTH_MS;
const STEPS_BEFORE = (COVERAGE_DAYS * DAY_MS) / COVERAGE_STEP_MS;
const BITS_OF_BYTE = 8;

type Recorded = {
  readonly userId: UserId;
  readonly device: DeviceNumber;
  readonly startMs: number;
  readonly endMs: number;
};
export type CoverageRange = { readonly fromMs: number; readonly toMs: number };

/** Seven days, and the six hours that `nowMs` is in. */
export function coverageRangeAt(nowMs: number): CoverageRange {
  const toMs = (Math.floor(nowMs / COVERAGE_STEP_MS) + 1) * COVERAGE_STEP_MS;
  return { fromMs: toMs - (STEPS_BEFORE + 1) * COVERAGE_STEP_MS, toMs };
}

/** Base64 by user and device. Devices without data are absent. */
export function packCoverage(
  recorded: readonly Recorded[],
  { fromMs, toMs }: CoverageRange,
): Map<UserId, Map<DeviceNumber, string>> {
  const steps = (toMs - fromMs) / COVERAGE_STEP_MS;
  const packed = new Map<UserId, Map<DeviceNumber, Uint8Array>>();
  for (const { userId, device, startMs, endMs } of recorded) {
    const first = Math.max(0, stepOf(startMs));
    const last = Math.min(steps - 1, stepOf(Math.max(startMs, endMs - 1)));
    if (first > last) continue;
    const bytes = packed
      .getOrInsertComputed(userId, () => new Map())
      .getOrInsertComputed(device, () => new Uint8Array(Math.ceil(steps / BITS_OF_BYTE)));
    for (let step = first; step <= last; step += 1)
      bytes[Math.floor(step / BITS_OF_BYTE)] =
        (bytes[Math.floor(step / BITS_OF_BYTE)] ?? 0) | (1 << (step % BITS_OF_BYTE));
  }
  return new Map(
    [...packed].map(([userId, devices]) => [
      userId,
      new Map([...devices].map(([device, bytes]) => [device, bytes.toBase64()])),
    ]),
  );
  function stepOf(epochMs: number): number {
    return Math.floor((epochMs - fromMs) / COVERAGE_STEP_MS);
  }
}
