// Wire schemas of scores: both forms, the history, and the explanation.
import type { Static, TObject, TProperties, TSchema } from 'typebox';
import { HRV_KINDS } from '../../../domain/records/records.ts';
import { ABSENCE_REASONS, type AbsenceReason, SCORE_TYPES } from '../../../domain/scores/index.ts';
import { nullable, oneOfWords, requestObject, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { form1RangeQuery, form2RangeQuery, includeSourcesQuery, unitSystemQuery } from '../shared/index.ts';

const date = (description?: string) => Type.String({ format: 'date', ...(description && { description }) });
const list = (description: string) => Type.Optional(Type.String({ description }));
const type = () => oneOfWords(SCORE_TYPES);
const factorFields = {
  name: Type.String(),
  contribution: Type.Number({ description: 'points; with the neutral they add up to the value, exactly in tenths' }),
  direction: oneOfWords(['positive', 'neutral', 'negative'] as const, {
    description: 'what it does to the value, no judgement; neutral: less than a point',
  }),
};

export const scoresForm1Reply = Type.Object({
  data: Type.Array(
    Type.Object({
      type: type(),
      value: Type.Number({ minimum: 0, maximum: 100 }),
      date: date("the day it is of, in the user's time zone"),
      computed_at: timestamp(),
      algorithm_version: Type.Integer(),
      factors: Type.Array(Type.Object(factorFields)),
    }),
    { description: 'the newest of each; one never computed is left out' },
  ),
});

export const scoresForm2Query = requestObject({
  types: list('score IDs, separated by commas; default all but nutrition_score'),
  ...form2RangeQuery,
  ...includeSourcesQuery,
  ...unitSystemQuery, // taken and without effect: in Form 2 it is daily's alone (gap G-30)
});

const perScore = <T extends TSchema>(schema: T, description: string) => Type.Dictionary(schema, { description });
const object = <Properties extends TProperties>(properties: Properties) =>
  Type.Unsafe<Static<TObject<Properties>> | null>({ ...Type.Object(properties), type: ['object', 'null'] });

export const scoresForm2Reply = Type.Object({
  from_date: date(),
  to_date: date(),
  dates: Type.Array(date()),
  units: perScore(Type.String(), 'the unit of each score'),
  series: perScore(Type.Array(nullable(Type.Number())), 'one number a date, null where there is none'),
  latest: perScore(
    object({
      date: date(),
      value: Type.Number(),
      previous_value: nullable(
        Type.Number({ description: 'of the calendar day before; null where that has none or is out of range' }),
      ),
    }),
    'the last value in range; null where there is none',
  ),
  sources: Type.Optional(
    perScore(
      Type.Array(
        object({
          provider: Type.String({ description: 'tributary: computed' }),
          device_id: nullable(Type.String({ format: 'uuid' })),
          original_value: Type.Number(),
          original_unit: Type.String(),
        }),
      ),
      'the source of each number; with include_sources=true',
    ),
  ),
});

export const historyQuery = requestObject({
  types: list('score IDs, separated by commas; default all'),
  ...form1RangeQuery,
});

export const historyReply = Type.Object({
  data: Type.Array(Type.Object({ date: date(), type: type(), value: Type.Number() }), {
    description: 'by date, then in the order of the scores; days without one are left out',
  }),
});

export const explainQuery = requestObject({ type: type(), date: date("a day in the user's time zone") });

const number = (description: string) => nullable(Type.Number({ description }));

export const explanation = Type.Object({
  type: type(),
  date: date(),
  value: number('null: the day has no such score'),
  neutral: number('what the score says when nothing speaks for more or less'),
  band: nullable(Type.String({ description: 'a word for the range that the value is in; not all scores have them' })),
  computed_at: nullable(timestamp()),
  algorithm_version: nullable(Type.Integer()),
  coverage: number('percent of the weight of all factors whose input was there; null for strain, which cannot tell'),
  factors: Type.Array(
    Type.Object({
      ...factorFields,
      about: Type.String({ description: 'what stands on its curve, for people' }),
      input: number('what was measured'),
      unit: nullable(Type.String({ description: 'of the input; null where it has none' })),
      usual: Type.Unsafe<{ mean: number; spread: number; scale: string } | null>({
        ...Type.Object({
          mean: Type.Number({ description: 'in the unit of the input' }),
          spread: Type.Number({ description: 'in the unit of the input; log: in proportion, 0.14 being about 14 %' }),
          scale: oneOfWords(['linear', 'log'] as const),
        }),
        type: ['object', 'null'],
        description: 'for this person; null where the input is not compared with it',
      }),
      position: number('where the input stands on the curve: in spreads above what is usual, or in its own unit'),
      effect: number('−1 to 1: the part of its weight that the factor takes; of strain the part of all load'),
      hrv_kind: Type.Optional(oneOfWords(HRV_KINDS, { description: 'of the input; for heart rate variability only' })),
    }),
  ),
  missing: Type.Array(
    Type.Object({
      name: Type.String(),
      reason: oneOfWords(['no_value', 'no_baseline'] as const, {
        description: 'nothing was measured, or too little before to know what is usual',
      }),
    }),
    {
      description:
        'factors whose weight went to the others; without a score, inputs of which one would have been needed',
    },
  ),
  basis: nullable(
    Type.Array(Type.String(), { description: 'of strain: what told the load of each workout, then of the rest' }),
  ),
  absence: Type.Unsafe<{ reason: string; message: string } | null>({
    ...Type.Object({
      reason: oneOfWords(Object.keys(ABSENCE_REASONS) as AbsenceReason[]),
      message: Type.String({ description: 'for people' }),
    }),
    type: ['object', 'null'],
    description: 'why there is no score; null where there is one',
  }),
});
