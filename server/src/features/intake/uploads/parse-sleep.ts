// Parses sleeps. A sleep is accepted or rejected as a whole: dropping an invalid stage would make a different sleep.
import type { Scope } from '../../../domain/metrics/categories.ts';
import { defaultHrvKind } from '../../../domain/metrics/hrv-kind.ts';
import {
  findStageProblem,
  limitsOfSleep,
  MAX_STAGES,
  orderStages,
  type SleepLimits,
} from '../../../domain/records/check-sleep.ts';
import { HRV_KINDS, SLEEP_STAGES, type SleepSession, type StagePeriod } from '../../../domain/records/records.ts';
import {
  type ContradictedTotal,
  countSleepMinutes,
  fillMinutes,
  findContradiction,
  type SleepMinutes,
} from '../../../domain/sleep/index.ts';
import { adopt, fail, type Item, openItem, readChoice, readList, readNumber, required } from './item.ts';
import type { ItemKind } from './parse-items.ts';
import { failLength, readPeriod, readSession, type SessionFrame } from './read-session.ts';
import { SLEEP_FIELDS, STAGE_FIELDS } from './schemas.ts';
import { MAX_SESSIONS } from './upload-limits.ts';

const NUMBER_FIELDS: Readonly<Record<keyof SleepLimits, string>> = {
  asleepMinutes: 'asleep_minutes',
  deepMinutes: 'deep_minutes',
  lightMinutes: 'light_minutes',
  remMinutes: 'rem_minutes',
  awakeMinutes: 'awake_minutes',
  inBedMinutes: 'in_bed_minutes',
  heartRate: 'heart_rate',
  heartRateVariability: 'heart_rate_variability',
  respiratoryRate: 'respiratory_rate',
  bloodOxygen: 'blood_oxygen',
  bodyTemperature: 'body_temperature',
  skinTemperature: 'skin_temperature',
  wristTemperature: 'wrist_temperature',
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
      const frame = readSession(item, 'sleep', context.latestMs);
      if (frame === null) return null;
      const stages = readStages(item, frame, context.latestMs);
      const hrvKind = readChoice(item, 'hrv_kind', HRV_KINDS) ?? usualHrvKind;
      const limits = limitsOfSleep({ ...frame, hrvKind });
      const read = (name: keyof SleepLimits) => readNumber(item, NUMBER_FIELDS[name], limits[name]);
      return {
        ...frame,
        stages,
        ...readMinutes(item, read, countSleepMinutes({ ...frame, stages })),
        heartRate: read('heartRate'),
        heartRateVariability: read('heartRateVariability'),
        hrvKind,
        respiratoryRate: read('respiratoryRate'),
        bloodOxygen: read('bloodOxygen'),
        bodyTemperature: read('bodyTemperature'),
        skinTemperature: read('skinTemperature'),
        wristTemperature: read('wristTemperature'),
      };
    },
  };
}

const CONTRADICTIONS: Readonly<Record<ContradictedTotal, string>> = {
  inBedMinutes: 'must not be less than the time asleep',
  asleepMinutes: 'must not be less than deep_minutes, light_minutes and rem_minutes together',
};

function readMinutes(
  item: Item,
  read: (name: keyof SleepMinutes) => number | null,
  counted: SleepMinutes,
): SleepMinutes {
  const reported: SleepMinutes = {
    asleepMinutes: read('asleepMinutes'),
    deepMinutes: read('deepMinutes'),
    lightMinutes: read('lightMinutes'),
    remMinutes: read('remMinutes'),
    awakeMinutes: read('awakeMinutes'),
    inBedMinutes: read('inBedMinutes'),
  };
  const contradicted = findContradiction(reported, counted);
  if (contradicted !== null)
    fail(item, NUMBER_FIELDS[contradicted], 'contradictory_totals', CONTRADICTIONS[contradicted]);
  return fillMinutes(reported, counted);
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
  return orderStages(stages);
}

function readStage(part: Item, frame: SessionFrame, latestMs: number): StagePeriod | null {
  const stage = required(part, 'stage', readChoice(part, 'stage', SLEEP_STAGES));
  const period = readPeriod(part, latestMs);
  if (stage === null || period === null) return null;
  const problem = findStageProblem(frame, { stage, ...period });
  if (problem === 'outside_session') return fail(part, '', 'stage_outside_session', 'must be within the sleep');
  return problem === null ? { stage, ...period } : failLength(part, problem, 'stage');
}
