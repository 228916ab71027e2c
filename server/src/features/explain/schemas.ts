// Wire schemas of explanations.

import { DECISION_REASONS, type Decision, OUTCOME_REASONS, type Outcome } from '../../domain/consolidate/index.ts';
import { DAY_ORIGINS } from '../../domain/day-notes.ts';
import { DEVICE_CLASSES, METHODS } from '../../domain/metrics/index.ts';
import { HRV_KINDS } from '../../domain/records.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid } from '../../platform/http/schema.ts';
import { Type } from '../../platform/json-schema.ts';

export const explainQuery = requestObject({
  metric: Type.String({ description: 'a daily metric' }),
  date: Type.String({ format: 'date', description: "a day in the user's time zone" }),
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
  original_value: Type.Number({ description: 'its own value of the day' }),
  original_unit: Type.String(),
  origin: oneOfWords(DAY_ORIGINS, {
    description: 'stated by the device, or from its samples or its sleeps and workouts',
  }),
  outcome: oneOfWords(Object.keys(OUTCOME_REASONS) as Outcome[]),
  reason: Type.String({ description: 'for people' }),
  contributed: nullable(Type.Number({ description: 'what of the value is from it' })),
  samples: nullable(Type.Object({ count: Type.Integer(), first: timestamp(), last: timestamp() })),
  hrv_kind: hrvKind('of its value'),
  decisions: Type.Array(decision, { description: 'about some of its samples, where there was something to decide' }),
});

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
  device_order: Type.Array(oneOfWords(DEVICE_CLASSES), { description: 'after Mobile SDK sources, best first' }),
  candidates: Type.Array(candidate, { description: 'every device with a value of that day, best first' }),
});
