// HealthKit has no sleep sessions, only samples of stages. Samples of one source that follow each other are one sleep.
import type { Item, RecordingMethod, SleepStage } from '../upload.ts';
import { formatTime } from './times.ts';

export type StageSample = {
  readonly id: string;
  readonly stage: SleepStage;
  readonly startMs: number;
  readonly endMs: number;
  readonly offsetMinutes: number;
  readonly method: RecordingMethod;
};

/** Longer than a usual waking; the service joins the parts of a night that are further apart. */
const MAX_BREAK_MS = 60 * 60_000;
const MAX_SLEEP_MS = 24 * 3_600_000;

/** The id is that of the earliest sample, so that a sleep keeps it when later samples arrive. */
export function groupSleep(samples: readonly StageSample[]): Item[] {
  const ordered = [...samples]
    .filter(({ startMs, endMs }) => endMs > startMs)
    .sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs || (a.id < b.id ? -1 : 1));
  const sleeps: StageSample[][] = [];
  let endMs = Number.NEGATIVE_INFINITY;
  for (const sample of ordered) {
    const current = sleeps.at(-1);
    const first = current?.[0];
    const isLong = first !== undefined && Math.max(endMs, sample.endMs) - first.startMs > MAX_SLEEP_MS;
    if (current === undefined || sample.startMs - endMs > MAX_BREAK_MS || isLong) {
      sleeps.push([sample]);
      endMs = sample.endMs;
    } else {
      current.push(sample);
      endMs = Math.max(endMs, sample.endMs);
    }
  }
  return sleeps.map(toSleep);
}

function toSleep(samples: readonly StageSample[]): Item {
  const first = samples[0] as StageSample;
  const endMs = Math.max(...samples.map((sample) => sample.endMs));
  return {
    list: 'sleep',
    ids: samples.map(({ id }) => id),
    value: {
      id: first.id,
      start: formatTime(first.startMs, first.offsetMinutes),
      end: formatTime(endMs, first.offsetMinutes),
      stages: samples.map(({ stage, startMs, endMs: stageEndMs, offsetMinutes }) => ({
        stage,
        start: formatTime(startMs, offsetMinutes),
        end: formatTime(stageEndMs, offsetMinutes),
      })),
      recording_method: first.method,
    },
  };
}
