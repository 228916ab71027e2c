// Sleep in Form 1: a `data` envelope, UTC timestamps, vitals in each session. Pure.
import type { UnitSystem } from '../../../domain/metrics/present-value.ts';
import { totalSleep } from '../../../domain/sleep/index.ts';
import { formatInstant } from '../../../domain/time/calendar.ts';
import { dialect } from '../../../platform/http/route.ts';
import { createMeasure, presentSourceForm1, readForm1Range } from '../shared/index.ts';
import { type FilledSleep, presentOtherSources } from './describe-sleeps.ts';
import { presentCopies } from './present-copies.ts';
import { presentStages } from './present-stages.ts';
import { sleepForm1Query, sleepForm1Reply } from './schemas.ts';
import { parseInclude, type SleepQuery, type SleepReadModel } from './sleep-read-model.ts';

const MAX_DAYS = 366; // specification, Limits

export const list = dialect({
  params: ['user_id'],
  query: sleepForm1Query,
  replies: { 200: sleepForm1Reply },
  parse: ({ params, query }): SleepQuery => ({
    userId: params.user_id,
    page: { by: 'page', range: readForm1Range(query, MAX_DAYS), page: 1, perPage: null },
    unitSystem: query.unit_system,
    includeSources: query.include_sources,
    included: parseInclude(query.include),
  }),
  present: ({ sleeps, unitSystem, includeSources, included }: SleepReadModel) => ({
    status: 200,
    body: {
      data: sleeps.map((sleep) => ({
        ...presentSleep(sleep, PRESENTERS[unitSystem]),
        ...(included.hasStages ? { stages: presentStages(sleep.session, formatTime) } : {}),
        ...(included.hasCopies ? { copies: presentCopies(sleep, presentCopy) } : {}),
        ...(includeSources ? { sources: presentOtherSources(sleep, FIELDS) } : {}),
      })),
    },
  }),
});

const formatTime = (epochMs: number) => formatInstant(new Date(epochMs));

function presentCopy(session: FilledSleep['session']) {
  const { minutes } = PRESENTERS.metric;
  return {
    start: formatTime(session.start),
    end: formatTime(session.end),
    asleep: minutes(totalSleep(session).asleep),
  };
}

const FIELDS = {
  asleep: 'asleep',
  awake: 'time_awake',
  light: 'light_sleep',
  deep: 'deep_sleep',
  rem: 'REM',
  inBed: 'time_in_bed',
  heartRate: 'sleep_heart_rate',
  heartRateVariability: 'sleep_heart_rate_variability',
  respiratoryRate: 'sleep_respiratory_rate',
  bloodOxygen: 'sleep_blood_oxygen',
  bodyTemperature: 'sleep_body_temperature',
  skinTemperature: 'sleep_skin_temperature',
  wristTemperature: 'sleep_wrist_temperature',
} as const;

type Measures = ReturnType<typeof createMeasures>;
const PRESENTERS: Readonly<Record<UnitSystem, Measures>> = {
  metric: createMeasures('metric'),
  imperial: createMeasures('imperial'),
};

function createMeasures(unitSystem: UnitSystem) {
  return {
    minutes: createMeasure('asleep', unitSystem),
    efficiency: createMeasure('sleep_efficiency', unitSystem),
    heartRate: createMeasure('sleep_heart_rate', unitSystem),
    heartRateVariability: createMeasure('sleep_heart_rate_variability', unitSystem),
    respiratoryRate: createMeasure('sleep_respiratory_rate', unitSystem),
    bloodOxygen: createMeasure('sleep_blood_oxygen', unitSystem),
    bodyTemperature: createMeasure('sleep_body_temperature', unitSystem),
    skinTemperature: createMeasure('sleep_skin_temperature', unitSystem),
    wristTemperature: createMeasure('sleep_wrist_temperature', unitSystem),
  };
}

function presentSleep({ id, date, isMain, session, source }: FilledSleep, measures: Measures) {
  const totals = totalSleep(session);
  return {
    id,
    date,
    start: formatTime(session.start),
    end: formatTime(session.end),
    asleep: measures.minutes(totals.asleep),
    time_awake: measures.minutes(totals.awake),
    light_sleep: measures.minutes(totals.light),
    deep_sleep: measures.minutes(totals.deep),
    REM: measures.minutes(totals.rem),
    restorative_sleep: measures.minutes(totals.restorative),
    time_in_bed: measures.minutes(totals.inBed),
    sleep_efficiency: measures.efficiency(totals.efficiencyPct),
    sleep_heart_rate: measures.heartRate(session.heartRate),
    sleep_heart_rate_variability: measures.heartRateVariability(session.heartRateVariability),
    hrv_kind: session.heartRateVariability === null ? null : session.hrvKind,
    sleep_respiratory_rate: measures.respiratoryRate(session.respiratoryRate),
    sleep_blood_oxygen: measures.bloodOxygen(session.bloodOxygen),
    sleep_body_temperature: measures.bodyTemperature(session.bodyTemperature),
    sleep_skin_temperature: measures.skinTemperature(session.skinTemperature),
    sleep_wrist_temperature: measures.wristTemperature(session.wristTemperature),
    is_main_sleep: isMain,
    source: presentSourceForm1(source),
  };
}
