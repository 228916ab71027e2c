// Reads an Apple Health export: records of all catalog types, sleep analysis and workouts. The text may arrive in any pieces.

import { MINUTE_MS } from '../../../../domain/time/durations.ts';
import { parseInstant } from '../../../../domain/time/parse-instant.ts';
import { importError, truncatedError } from '../import-error.ts';
import type { ImportSample, ImportSink, ImportSource } from '../import-sink.ts';
import { createSleepPeriods } from '../sleep-periods.ts';
import { decodeText } from './decode-text.ts';
import {
  findHealthKitType,
  IDLE_STAND_HOUR,
  SLEEP_ANALYSIS,
  SLEEP_VALUES,
  toCatalogUnitName,
} from './health-kit-types.ts';
import { createSourceReader } from './read-source.ts';
import { toInstant } from './read-time.ts';
import { readWorkout, type WorkoutParts } from './read-workout.ts';
import { createTagScanner, type TagAttributes } from './tag-scanner.ts';
import { findUsualRecord, type UsualRecord } from './usual-record.ts';

const ROOT = 'HealthData';
const USER_ENTERED = 'HKWasUserEntered';
/** Records inside a correlation, such as a blood pressure, are also in the file on their own. */
const CORRELATION = 'Correlation';
/** Of a workout; real ones have at most a few hundred. */
const MAX_PARTS = 100_000;

/** `findUsual` only saves time: its records are read alike without it. */
export async function readAppleHealth(
  texts: AsyncIterable<string>,
  sink: ImportSink,
  findUsual: (text: string, at: number) => UsualRecord | null = findUsualRecord,
): Promise<void> {
  const sourceOf = createSourceReader();
  const sleep = createSleepPeriods();
  let isRooted = false;
  let isEnded = false;
  let isInCorrelation = false;
  /** A record with content, until its end: its metadata can say that a person entered it. */
  let open: { attributes: TagAttributes; line: number; isManual: boolean } | null = null;
  let workout: (WorkoutParts & { readonly line: number }) | null = null;

  const addRecord = (attributes: TagAttributes | UsualRecord, isManual: boolean, line: number) => {
    const { type = '', startDate = '', endDate = startDate, value = '', unit = '' } = attributes;
    if (type === SLEEP_ANALYSIS) {
      const stage = SLEEP_VALUES[value];
      if (stage === undefined) sink.skip(`${type} ${value}`);
      else
        sleep.add(
          sourceOf(attributes.sourceName, attributes.device),
          stage,
          toInstant(startDate),
          toInstant(endDate),
          line,
        );
      return;
    }
    const known = findHealthKitType(type);
    if (known === null) {
      sink.skip(type);
      return;
    }
    if (value === IDLE_STAND_HOUR) return;
    const start = toInstant(startDate);
    const end = endDate === startDate ? start : toInstant(endDate);
    const sample: ImportSample = {
      metric: known.metric,
      start,
      value: 1,
      recording_method: isManual ? 'manual' : 'automatic',
    };
    if (end !== start) sample.end = end;
    if (known.kind === 'quantity') {
      sample.value = value === '' ? Number.NaN : Number(value);
      sample.unit = toCatalogUnitName(known.metric, unit);
    } else if (known.kind === 'duration') sample.value = (parseInstant(end) - parseInstant(start)) / MINUTE_MS;
    addSample(sink, sourceOf(attributes.sourceName, attributes.device), sample, line);
  };

  const scanner = createTagScanner({
    readWhole(text, at, line) {
      if (!isRooted || open !== null || workout !== null || isInCorrelation) return -1;
      const record = findUsual(text, at);
      if (record === null) return -1;
      addRecord(record, false, line);
      return record.end;
    },
    open(name, attributes, isClosed, line) {
      if (!isRooted && name !== ROOT) throw notAnExport(line);
      switch (name) {
        case 'Record':
          if (isInCorrelation) return;
          if (isClosed) addRecord(attributes, false, line);
          else open = { attributes, line, isManual: false };
          return;
        case 'MetadataEntry':
          if (open !== null && attributes.key === USER_ENTERED) open.isManual = attributes.value === '1';
          else if (workout !== null && workout.metadata.size < MAX_PARTS)
            workout.metadata.set(attributes.key ?? '', attributes.value ?? '');
          return;
        case 'Workout':
          workout = { attributes, statistics: [], events: [], metadata: new Map(), line };
          if (isClosed) finishWorkout();
          return;
        case 'WorkoutStatistics':
          if (workout !== null && workout.statistics.length < MAX_PARTS) workout.statistics.push(attributes);
          return;
        case 'WorkoutEvent':
          if (workout !== null && workout.events.length < MAX_PARTS) workout.events.push(attributes);
          return;
        case CORRELATION:
          isInCorrelation = !isClosed;
          return;
        case ROOT:
          isRooted = true;
          isEnded = isClosed;
      }
    },
    close(name) {
      if (name === 'Record' && open !== null) {
        addRecord(open.attributes, open.isManual, open.line);
        open = null;
      } else if (name === 'Workout') finishWorkout();
      else if (name === CORRELATION) isInCorrelation = false;
      else if (name === ROOT) isEnded = true;
    },
  });
  const finishWorkout = () => {
    if (workout === null) return;
    const { sourceName, device } = workout.attributes;
    sink.add(sourceOf(sourceName, device), 'workouts', readWorkout(workout), workout.line);
    workout = null;
  };

  for await (const text of texts) {
    scanner.push(text);
    if (sink.isFull()) await sink.drain();
  }
  if (!isRooted) throw notAnExport(scanner.line);
  sleep.finish(sink);
  if (!isEnded) throw truncatedError(`line ${scanner.line}`);
}

function addSample(sink: ImportSink, source: ImportSource, sample: ImportSample, line: number): void {
  if (Number.isFinite(sample.value)) sink.add(source, 'samples', sample, line);
  else sink.reject(`the value of ${decodeText(sample.metric)} is not a number`, line);
}

function notAnExport(line: number) {
  return importError(
    'this is not an Apple Health export: it has no <HealthData>. Use export.zip, or export.xml from it.',
    `line ${line}`,
  );
}
