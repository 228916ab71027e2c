// Wire schemas of explanations.

import { OUTCOME_REASONS, type Outcome } from '../../domain/consolidate/index.ts';
import { DAY_ORIGINS } from '../../domain/day-notes.ts';
import { DEVICE_CLASSES, METHODS } from '../../domain/metrics/index.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid } from '../../platform/http/schema.ts';
import { Type } from '../../platform/json-schema.ts';

export const explainQuery = requestObject({
  metric: Type.String({ description: 'a daily metric' }),
  date: Type.String({ format: 'date', description: "a day in the user's time zone" }),
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
});

const night = Type.Object(
  {
    provider: Type.String(),
    device_id: uuid('device'),
    start: timestamp(),
    end: timestamp(),
    sessions: Type.Array(Type.Object({ start: timestamp(), end: timestamp() })),
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
  computed: nullable(Type.String({ description: 'what it is made of, where it is not chosen but computed' })),
  device_order: Type.Array(oneOfWords(DEVICE_CLASSES), { description: 'after Mobile SDK sources, best first' }),
  candidates: Type.Array(candidate, { description: 'every device with a value of that day, best first' }),
  night: nullable(night),
});
