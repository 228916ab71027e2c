// Request and response schemas of scores: both forms, the history and the explanation.
import type { TSchema } from 'typebox';
import { HRV_KINDS } from '../../../domain/records/records.ts';
import { ABSENCE_REASONS, type AbsenceReason, SCORE_TYPES } from '../../../domain/scores/index.ts';
import { nullable, oneOfWords, requestObject, timestamp } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  form1RangeQuery,
  form2RangeQuery,
  includeSourcesQuery,
  unitSystemQuery,
  valueSource,
} from '../shared/index.ts';

const date = (description?: string) => Type.String({ format: 'date', ...(description && { description }) });
const list = (description: string) => Type.Optional(Type.String({ description }));
const type = () => oneOfWords(SCORE_TYPES, { title: 'ScoreType' });
const factorFields = {
  name: Type.String(),
  contribution: Type.Number({
    description: 'points; contributions plus `neutral` add up to the value, exact to the tenth',
  }),
  direction: oneOfWords(['positive', 'neutral', 'negative'] as const, {
    description: 'how the factor changes the value, not whether that is good; `neutral`: by less than one point',
  }),
};

export const scoresForm1Reply = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          type: type(),
          value: Type.Number({ minimum: 0, maximum: 100 }),
          date: date("the day of the score, in the user's time zone"),
          computed_at: timestamp(),
          algorithm_version: Type.Integer(),
          factors: Type.Array(Type.Object(factorFields, { title: 'ScoreFactor' })),
        },
        { title: 'ScoreForm1' },
      ),
      { description: 'the newest score of each type; types that were never computed are omitted' },
    ),
  },
  { title: 'ScoreListForm1' },
);

export const scoresForm2Query = requestObject({
  types: list('score IDs, separated by commas; default all but nutrition_score'),
  ...form2RangeQuery,
  ...includeSourcesQuery,
  ...unitSystemQuery, // accepted but ignored: in Form 2 only daily values use it (gap G-30)
});

const perScore = <T extends TSchema>(schema: T, description: string) => Type.Dictionary(schema, { description });

const latestScore = Type.Object(
  {
    date: date(),
    value: Type.Number(),
    previous_value: nullable(
      Type.Number({
        description: 'value of the previous calendar day; null where that day has no value or is out of range',
      }),
    ),
  },
  { title: 'LatestScore' },
);

export const scoresForm2Reply = Type.Object(
  {
    from_date: date(),
    to_date: date(),
    dates: Type.Array(date()),
    units: perScore(Type.String(), 'the unit of each score'),
    series: perScore(Type.Array(nullable(Type.Number())), 'one number per date, null where there is none'),
    latest: perScore(nullable(latestScore), 'the last value in the range; null where there is none'),
    sources: Type.Optional(
      perScore(Type.Array(nullable(valueSource)), 'the source of each number; only with include_sources=true'),
    ),
  },
  { title: 'ScoresForm2' },
);

export const historyQuery = requestObject({
  types: list('score IDs, separated by commas; default all'),
  ...form1RangeQuery,
});

export const historyReply = Type.Object(
  {
    data: Type.Array(Type.Object({ date: date(), type: type(), value: Type.Number() }, { title: 'ScoreHistoryRow' }), {
      description: 'by date, then by score type; days without a score are omitted',
    }),
  },
  { title: 'ScoreHistory' },
);

export const explainQuery = requestObject({ type: type(), date: date("a day in the user's time zone") });

const number = (description: string) => nullable(Type.Number({ description }));

export const explanation = Type.Object(
  {
    type: type(),
    date: date(),
    value: number('null: the day has no score of this type'),
    neutral: number('the value when no factor raises or lowers it'),
    band: nullable(
      Type.String({ description: 'name of the band that contains the value; null where the score type has no bands' }),
    ),
    computed_at: nullable(timestamp()),
    algorithm_version: nullable(Type.Integer()),
    coverage: number(
      'percentage of the total weight of factors that had an input; null for strain, where it is unknown',
    ),
    factors: Type.Array(
      Type.Object(
        {
          ...factorFields,
          about: Type.String({ description: 'description of the input, for display' }),
          input: number('the measured value'),
          unit: nullable(Type.String({ description: 'unit of the input; null where it has none' })),
          usual: Type.Unsafe<{ mean: number; spread: number; scale: string } | null>({
            ...Type.Object(
              {
                mean: Type.Number({ description: 'in the unit of the input' }),
                spread: Type.Number({
                  description: 'in the unit of the input; with scale `log` as a proportion: 0.14 is about 14 %',
                }),
                scale: oneOfWords(['linear', 'log'] as const),
              },
              { title: 'UsualValues' },
            ),
            type: ['object', 'null'],
            description: 'usual values of this user; null where the input is not compared with them',
          }),
          position: number(
            'position of the input on the curve: in spreads above the usual mean, or in the unit of the input',
          ),
          effect: number(
            '−1 to 1: the share of its weight that the factor applies; for strain, its share of the total load',
          ),
          hrv_kind: Type.Optional(
            oneOfWords(HRV_KINDS, {
              title: 'HrvKind',
              description: 'kind of the input; only for heart rate variability',
            }),
          ),
        },
        { title: 'ExplainedFactor' },
      ),
    ),
    missing: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          reason: oneOfWords(['no_value', 'no_baseline'] as const, {
            description:
              '`no_value`: nothing was measured; `no_baseline`: too few earlier values to know what is usual',
          }),
        },
        { title: 'MissingFactor' },
      ),
      {
        description:
          'factors without an input, whose weight is shared by the others; without a score, inputs of which at least one is required',
      },
    ),
    basis: nullable(
      Type.Array(Type.String(), {
        description: 'for strain: the source of the load of each workout, then of the rest of the day',
      }),
    ),
    absence: Type.Unsafe<{ reason: string; message: string } | null>({
      ...Type.Object(
        {
          reason: oneOfWords(Object.keys(ABSENCE_REASONS) as AbsenceReason[]),
          message: Type.String({ description: 'explanation for display' }),
        },
        { title: 'ScoreAbsence' },
      ),
      type: ['object', 'null'],
      description: 'why there is no score; null where there is one',
    }),
  },
  { title: 'ScoreExplanation' },
);
