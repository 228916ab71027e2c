// What happened in one quarter hour: the stage of sleep, and what every device measured. Pure.
import { QUARTER_MS } from '../../shared/time/durations.ts';
import type { LevelBand, RiverBand, RiverModel, SleepStage } from './river-model.ts';

type Reading = { readonly device: number; readonly value: number; readonly isCounted: boolean };
export type BandReading = { readonly band: RiverBand; readonly readings: readonly Reading[] };
export type QuarterReading = {
  readonly startMs: number;
  readonly endMs: number;
  /** Null: no device recorded sleep. */
  readonly stage: SleepStage | null;
  readonly workout: string | null;
  readonly bands: readonly BandReading[];
};

export function readQuarter(river: RiverModel, quarter: number): QuarterReading {
  const startMs = river.fromMs + quarter * QUARTER_MS;
  const endMs = startMs + QUARTER_MS;
  const isDuring = (session: { startMs: number; endMs: number }) => session.startMs < endMs && session.endMs > startMs;
  return {
    startMs,
    endMs,
    stage: findStage(river, startMs, endMs),
    workout: river.workouts.find((workout) => workout.isCounted && isDuring(workout))?.name ?? null,
    bands: river.bands.map((band) => ({ band, readings: readBand(band, quarter, startMs, endMs) })),
  };
}

/** The stage that takes most of the quarter hour. */
function findStage({ sleeps }: RiverModel, startMs: number, endMs: number): SleepStage | null {
  const lengths = new Map<SleepStage, number>();
  for (const { stages } of sleeps.filter(({ isCounted }) => isCounted))
    for (const period of stages ?? []) {
      const length = Math.min(endMs, period.endMs) - Math.max(startMs, period.startMs);
      if (length > 0) lengths.set(period.stage, (lengths.get(period.stage) ?? 0) + length);
    }
  return [...lengths].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}

function readBand(band: RiverBand, quarter: number, startMs: number, endMs: number): Reading[] {
  if (band.kind === 'total')
    return band.devices.flatMap(({ device, measured, counted }) => {
      const value = measured[quarter] ?? null;
      return value === null ? [] : [{ device, value, isCounted: (counted[quarter] ?? null) !== null }];
    });
  return readLevels(band, quarter, startMs, endMs);
}

function readLevels({ devices, sources }: LevelBand, quarter: number, startMs: number, endMs: number): Reading[] {
  return devices.flatMap(({ device, points: { times, values } }) => {
    let [sum, count] = [0, 0];
    for (let index = findFrom(times, startMs); index < times.length && (times[index] as number) < endMs; index += 1) {
      sum += values[index] as number;
      count += 1;
    }
    return count === 0 ? [] : [{ device, value: sum / count, isCounted: sources[quarter] === device }];
  });
}

/** The first index at or after a time. */
function findFrom(times: readonly number[], ms: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] as number) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
