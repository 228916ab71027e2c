// Wire schemas of explanations.

import { DAY_ORIGINS } from '../../../domain/consolidate/day-notes.ts';
import { DECISION_REASONS, type Decision, OUTCOME_REASONS, type Outcome } from '../../../domain/consolidate/index.ts';
import { DEVICE_CLASSES, METHODS } from '../../../domain/metrics/index.ts';
import { HRV_KINDS } from '../../../domain/records/records.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { DAY_ABSENCES, type DayAbsence, RECORD_REASONS, type RecordOutcome } from '../../pipeline/ingest/index.ts';

export const explainQuery = requestObject({
  metric: Type.String({ description: 'a daily metric' }),
  date: Type.String({ format: 'date', description: "a day in the user's time zone" }),
});

const input = Type.Object({
  name: Type.String({ description: 'a metric, a field of the profile, or a count such as `still_windows`' }),
  date: nullable(Type.String({ format: 'date', description: 'null: of the profile' })),
  value: nullable(Type.Number({ description: 'not rounded; null: missing' })),
  unit: Type.String(),
});

const hrvKind = (whose: string) =>
  Type.Optional(nullable(oneOfWords(HRV_KINDS, { description: `${whose}; for metrics of heart rate variability` })));

const decision = Type.Object({
  decision: oneOfWords(Object.keys(DECISION_REASONS) as Decision['kind'][]),
  start: timestamp(),
  end: timestamp(),
  value: Type.Number({ description: 'of the sample, in the unit of the metric; its part of the day' }),
  counted: nullable(Type.Number({ description: 'what of it is in the result; null: nothing to count' })),
  reason: Type.String({ description: 'for people' }),
});

const candidate = Type.Object({
  rank: Type.Integer({ description: 'for this metric, best first' }),
  provider: Type.String(),
  device_id: uuid('device'),
  device_class: oneOfWords(DEVICE_CLASSES),
  transport: oneOfWords(['sdk', 'cloud'] as const),
  connected_at: timestamp(),
  enabled: Type.Boolean(),
  original_value: nullable(
    Type.Number({ description: 'its own value of the day; null where only one of its sleeps adds to the value' }),
  ),
  original_unit: Type.String(),
  origin: oneOfWords(DAY_ORIGINS, {
    description:
      'stated by the device, from its samples or its sleeps and workouts, or imported from the device of another maker',
  }),
  outcome: oneOfWords(Object.keys(OUTCOME_REASONS) as Outcome[]),
  reason: Type.String({ description: 'for people' }),
  contributed: nullable(Type.Number({ description: 'what of the value is from it' })),
  samples: nullable(Type.Object({ count: Type.Integer(), first: timestamp(), last: timestamp() })),
  hrv_kind: hrvKind('of its value'),
  decisions: Type.Array(decision, { description: 'about some of its samples, where there was something to decide' }),
});

const record = Type.Object({
  kind: oneOfWords(['sleep', 'workout'] as const),
  id: uuid('sleep session or workout'),
  provider: Type.String(),
  device_id: uuid('device'),
  device_class: oneOfWords(DEVICE_CLASSES),
  start: timestamp(),
  end: timestamp(),
  value: nullable(Type.Number({ description: 'what this record alone says of the metric' })),
  outcome: oneOfWords(Object.keys(RECORD_REASONS) as RecordOutcome[]),
  reason: Type.String({ description: 'for people' }),
});

const night = Type.Object(
  {
    provider: Type.String(),
    device_id: uuid('device'),
    start: timestamp(),
    end: timestamp(),
    sessions: Type.Array(
      Type.Object({ start: timestamp(), end: timestamp(), device_id: Type.Optional(uuid('device')) }),
      { description: "`device_id` where it is another device than that of the night, which is the first part's" },
    ),
    reason: Type.String({ description: 'for people' }),
  },
  {
    description: 'the main sleep of the date, for metrics that come from sleeps; all other sleeps of the date are naps',
  },
);

export const explanation = Type.Object({
  metric: Type.String(),
  date: Type.String({ format: 'date' }),
  day_start: timestamp(),
  day_end: timestamp(),
  value: nullable(Type.Number({ description: 'as GET daily gives it; null: there is none' })),
  unit: Type.String(),
  method: nullable(oneOfWords(METHODS)),
  default_method: nullable(oneOfWords(METHODS)),
  setting: Type.Object({
    key: nullable(Type.String({ description: 'by which the method is set; null: it cannot be' })),
    overridden: Type.Boolean(),
  }),
  hrv_kind: hrvKind('of the value'),
  computed: nullable(Type.String({ description: 'what it is made of, where it is not chosen but computed' })),
  formula: nullable(Type.String({ description: 'of a derived metric; null: chosen, or given by sleeps or workouts' })),
  inputs: nullable(Type.Array(input, { description: 'what the formula was computed from' })),
  device_order: Type.Array(oneOfWords(DEVICE_CLASSES), { description: 'after Mobile SDK sources, best first' }),
  candidates: Type.Array(candidate, { description: 'every device with a value of that day, best first' }),
  records: Type.Array(record, {
    description:
      'every sleep or workout that was considered, those of the best-ranked device first; empty for other metrics',
  }),
  absence: nullable(
    Type.Object(
      { reason: oneOfWords(Object.keys(DAY_ABSENCES) as DayAbsence[]), message: Type.String() },
      { description: 'why there is no value' },
    ),
  ),
  night: nullable(night),
});
