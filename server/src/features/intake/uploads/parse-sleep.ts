// Parses sleeps. A sleep is accepted or rejected as a whole: dropping an invalid stage would make a different sleep.

import type { Scope } from '../../../domain/metrics/categories.ts';
import { defaultHrvKind } from '../../../domain/metrics/hrv-kind.ts';
import {
  MAX_SLEEP_MS,
  MAX_STAGES,
  MINUTES_TOLERANCE,
  ROUNDING_MS,
  SLEEP_LIMITS,
} from '../../../domain/metrics/record-limits.ts';
import { HRV_KINDS, SLEEP_STAGES, type SleepSession, type StagePeriod } from '../../../domain/records/records.ts';
import {
  countSleepMinutes,
  fillMinutes,
  findContradiction,
  type SleepContradiction,
  type SleepMinutes,
} from '../../../domain/sleep/index.ts';
import { MINUTE_MS } from '../../../domain/time/durations.ts';
import { adopt, fail, type Item, openItem, readChoice, readList, readNumber, required } from './item.ts';
import type { ItemKind } from './parse-items.ts';
import { readPeriod, readSession, type SessionFrame } from './read-session.ts';
import { SLEEP_FIELDS, STAGE_FIELDS } from './schemas.ts';
import { MAX_SESSIONS } from './upload-limits.ts';

const MINUTE_FIELDS: Readonly<Record<keyof SleepMinutes, string>> = {
  asleepMinutes: 'asleep_minutes',
  deepMinutes: 'deep_minutes',
  lightMinutes: 'light_minutes',
  remMinutes: 'rem_minutes',
  awakeMinutes: 'awake_minutes',
  inBedMinutes: 'in_bed_minutes',
};

export function sleepKind(context: {
  scopes: readonly Scope[];
  latestMs: number;
  provider: string;
}): ItemKind<SleepSession> {
  const usualHrvKind = defaultHrvKind(context.provider);
  return {
    list: 'sleep',
    known: SLEEP_FIELDS,
    maxItems: MAX_SESSIONS,
    parse(item) {
      if (!context.scopes.includes('sleep')) return fail(item, '', 'out_of_scope', 'the session has no scope sleep');
      const frame = readSession(item, context.latestMs, MAX_SLEEP_MS);
      if (frame === null) return null;
      const stages = readStages(item, frame, context.latestMs);
      const hrvKind = readChoice(item, 'hrv_kind', HRV_KINDS) ?? usualHrvKind;
      return {
        ...frame,
        stages,
        ...readMinutes(item, frame, stages),
        heartRate: readNumber(item, 'heart_rate', SLEEP_LIMITS.heartRate, 'bpm'),
        heartRateVariability: readNumber(item, 'heart_rate_variability', SLEEP_LIMITS[hrvKind], 'ms'),
        hrvKind,
        respiratoryRate: readNumber(item, 'respiratory_rate', SLEEP_LIMITS.respiratoryRate, 'breaths/min'),
        bloodOxygen: readNumber(item, 'blood_oxygen', SLEEP_LIMITS.bloodOxygen, '%'),
        bodyTemperature: readNumber(item, 'body_temperature', SLEEP_LIMITS.bodyTemperature, '°C'),
        skinTemperature: readNumber(item, 'skin_temperature', SLEEP_LIMITS.skinTemperature, '°C'),
        wristTemperature: readNumber(item, 'wrist_temperature', SLEEP_LIMITS.wristTemperature, '°C'),
      };
    },
  };
}

const CONTRADICTIONS: Readonly<Record<SleepContradiction, readonly [field: string, message: string]>> = {
  asleep_over_in_bed: ['in_bed_minutes', 'must not be less than the time asleep'],
  stages_over_asleep: ['asleep_minutes', 'must not be less than deep_minutes, light_minutes and rem_minutes together'],
};

function readMinutes(item: Item, frame: SessionFrame, stages: readonly StagePeriod[] | null): SleepMinutes {
  const counted = countSleepMinutes({ ...frame, stages });
  const reported = readReportedMinutes(item, frame);
  const contradiction = findContradiction(reported, counted);
  if (contradiction !== null) {
    const [field, message] = CONTRADICTIONS[contradiction];
    fail(item, field, 'contradictory_totals', message);
  }
  return fillMinutes(reported, counted);
}

/** Time in bed may exceed the session, because some devices report only the time asleep as the session. */
function readReportedMinutes(item: Item, frame: SessionFrame): SleepMinutes {
  const lengthMinutes = (frame.end - frame.start) / MINUTE_MS + MINUTES_TOLERANCE;
  const read = (name: keyof SleepMinutes) => {
    const max = name === 'inBedMinutes' ? MAX_SLEEP_MS / MINUTE_MS : lengthMinutes;
    return readNumber(item, MINUTE_FIELDS[name], { min: 0, max }, 'min');
  };
  return {
    asleepMinutes: read('asleepMinutes'),
    deepMinutes: read('deepMinutes'),
    lightMinutes: read('lightMinutes'),
    remMinutes: read('remMinutes'),
    awakeMinutes: read('awakeMinutes'),
    inBedMinutes: read('inBedMinutes'),
  };
}

/** Ascending by start. Overlapping or repeated stages are resolved where minutes are counted. An empty list counts as absent. */
function readStages(item: Item, frame: SessionFrame, latestMs: number): readonly StagePeriod[] | null {
  const list = readList(item, 'stages', MAX_STAGES);
  if (list === null || list.length === 0) return null;
  const stages: StagePeriod[] = [];
  for (const [index, value] of list.entries()) {
    const part = openItem(value, STAGE_FIELDS);
    const stage = part.fault === null ? readStage(part, frame, latestMs) : null;
    adopt(item, `stages[${index}]`, part);
    if (stage === null || item.fault !== null) return null;
    stages.push(stage);
  }
  return stages.sort((one, other) => one.start - other.start || one.end - other.end);
}

function readStage(part: Item, frame: SessionFrame, latestMs: number): StagePeriod | null {
  const stage = required(part, 'stage', readChoice(part, 'stage', SLEEP_STAGES));
  const period = readPeriod(part, latestMs);
  if (stage === null || period === null) return null;
  if (period.start < frame.start - ROUNDING_MS || period.end > frame.end + ROUNDING_MS)
    return fail(part, '', 'stage_outside_session', 'must be within the sleep');
  return { stage, ...period };
}
