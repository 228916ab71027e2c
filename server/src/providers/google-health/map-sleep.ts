// Sleeps and naps. Stages may arrive later (`metadata.processed`): the same point is then sent again with them.
// https://developers.google.com/health/data-types/sleep

import type { EpochMs, SleepSession, SleepStage, StagePeriod } from '../../domain/records/records.ts';
import { formatInstant } from '../../domain/time/calendar.ts';
import { makeSleep } from '../make-sessions.ts';
import { collectRecords, type ProviderRecords } from '../provider-records.ts';
import { type JsonObject, readList, readPart, readText } from '../read-json.ts';
import { readOptional } from '../unreadable-fields.ts';
import { eachPoint, readAmount, readInterval, readMethod, readPointId, readTimes } from './data-points.ts';

/**
 * CLASSIC sleeps only distinguish sleep and waking. RESTLESS counts neither in `minutesAsleep` nor as awake: it is time in bed.
 */
const STAGES: Readonly<Record<string, SleepStage>> = {
  AWAKE: 'awake',
  LIGHT: 'light',
  DEEP: 'deep',
  REM: 'rem',
  ASLEEP: 'asleep',
  RESTLESS: 'in_bed',
};

export function mapSleep(body: unknown): ProviderRecords {
  const records = collectRecords();
  eachPoint(records, body, { list: 'dataPoints', member: 'sleep' }, (data, point) => {
    const session = mapSession(point, data);
    if (session.end > session.start) records.sleep(session);
  });
  return records.records();
}

function mapSession(point: JsonObject, data: JsonObject): SleepSession {
  const { start, end, offsetMinutes } = readInterval(data);
  const summary = readPart(data, 'summary') ?? {};
  return makeSleep({
    key: readPointId(point) ?? formatInstant(new Date(start)),
    start: start as EpochMs,
    end: end as EpochMs,
    offsetMinutes,
    stages: readOptional('stages', () => readStages(data)),
    asleepMinutes: readAmount(summary, 'minutesAsleep'), // min
    awakeMinutes: readAmount(summary, 'minutesAwake'), // min
    inBedMinutes: readAmount(summary, 'minutesInSleepPeriod'), // min, from going to bed to getting up
    lightMinutes: readStageMinutes(summary, 'LIGHT'), // min
    deepMinutes: readStageMinutes(summary, 'DEEP'), // min
    remMinutes: readStageMinutes(summary, 'REM'), // min
    hrvKind: 'rmssd',
    method: readMethod(point),
  });
}

function readStageMinutes(summary: JsonObject, type: string): number | null {
  const stage = readList(summary, 'stagesSummary').find((candidate) => readText(candidate, 'type') === type);
  return stage === undefined ? null : readAmount(stage, 'minutes');
}

function readStages(data: JsonObject): StagePeriod[] | null {
  const stages = readList(data, 'stages').flatMap((item) => {
    const stage = STAGES[readText(item, 'type') ?? ''];
    const { start, end } = readTimes(item);
    return stage === undefined || end <= start ? [] : [{ stage, start: start as EpochMs, end: end as EpochMs }];
  });
  return stages.length === 0 ? null : stages.sort((a, b) => a.start - b.start);
}
