// Joins single sleep periods, as HealthKit stores them, into nights: periods of one source less than 90 minutes apart.
import { MAX_SLEEP_MS } from '../../../domain/metrics/record-limits.ts';
import type { SleepStage } from '../../../domain/records/records.ts';
import { SAME_NIGHT_GAP_MS } from '../../../domain/sleep/index.ts';
import { parseInstant } from '../../../domain/time/parse-instant.ts';
import type { FilePosition, ImportSink, ImportSource } from './import-sink.ts';

type SleepPeriod = {
  readonly stage: SleepStage;
  readonly start: string;
  readonly end: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly position: FilePosition;
};

type SleepPeriods = {
  add(source: ImportSource, stage: SleepStage, start: string, end: string, position: FilePosition): void;
  /** Adds the nights to the sink. The periods of a file are not in order, so this comes at its end. */
  finish(sink: ImportSink): void;
};

export function createSleepPeriods(): SleepPeriods {
  const bySource = new Map<ImportSource, SleepPeriod[]>();
  return {
    add(source, stage, start, end, position) {
      const period = { stage, start, end, startMs: parseInstant(start), endMs: parseInstant(end), position };
      const periods = bySource.get(source);
      if (periods === undefined) bySource.set(source, [period]);
      else periods.push(period);
    },
    finish(sink) {
      for (const [source, periods] of bySource) {
        for (const { start, end, position } of periods.filter(isUnreadable))
          sink.reject(`a sleep period from ${start || 'nowhere'} to ${end || 'nowhere'} has no valid times`, position);
        const readable = periods.filter((period) => !isUnreadable(period)).sort((a, b) => a.startMs - b.startMs);
        for (const night of joinNights(readable)) addNight(sink, source, night);
      }
    },
  };
}

function isUnreadable({ startMs, endMs }: SleepPeriod): boolean {
  return !(endMs > startMs) || endMs - startMs > MAX_SLEEP_MS;
}

function joinNights(periods: readonly SleepPeriod[]): SleepPeriod[][] {
  const nights: SleepPeriod[][] = [];
  let endMs = Number.NEGATIVE_INFINITY;
  for (const period of periods) {
    const night = nights.at(-1);
    const startMs = night?.[0]?.startMs ?? 0;
    if (night !== undefined && period.startMs - endMs < SAME_NIGHT_GAP_MS && period.endMs - startMs <= MAX_SLEEP_MS) {
      night.push(period);
      endMs = Math.max(endMs, period.endMs);
    } else {
      nights.push([period]);
      endMs = period.endMs;
    }
  }
  return nights;
}

function addNight(sink: ImportSink, source: ImportSource, periods: readonly SleepPeriod[]): void {
  const [first] = periods;
  if (first === undefined) return;
  const last = periods.reduce((latest, period) => (period.endMs > latest.endMs ? period : latest));
  const stages = periods.map(({ stage, start, end }) => ({ stage, start, end }));
  sink.add(source, 'sleep', { start: first.start, end: last.end, stages }, first.position);
}
