// Request and response schemas of explained daily values.

import { DAY_ORIGINS } from '../../../domain/consolidate/day-notes.ts';
import {
  type ConsolidationOutcome,
  DECISION_REASONS,
  type Decision,
  OUTCOME_REASONS,
} from '../../../domain/consolidate/index.ts';
import { DEVICE_CLASSES, METHODS } from '../../../domain/metrics/index.ts';
import { HRV_KINDS } from '../../../domain/records/records.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { DAY_ABSENCES, type DayAbsence, RECORD_REASONS, type RecordOutcome } from '../../pipeline/ingest/index.ts';

export const explainQuery = requestObject({
  metric: Type.String({ description: 'a daily metric' }),
  date: Type.String({ format: 'date', description: "a day in the user's time zone" }),
});

const input = Type.Object(
  {
    name: Type.String({ description: 'a metric, a profile field, or a count such as `still_windows`' }),
    date: nullable(Type.String({ format: 'date', description: 'null: the input comes from the profile' })),
    value: nullable(Type.Number({ description: 'not rounded; null: missing' })),
    unit: Type.String(),
  },
  { title: 'FormulaInput' },
);

const hrvKind = (whose: string) =>
  Type.Optional(
    nullable(
      oneOfWords(HRV_KINDS, { title: 'HrvKind', description: `${whose}; only for heart rate variability metrics` }),
    ),
  );

const decision = Type.Object(
  {
    decision: oneOfWords(Object.keys(DECISION_REASONS) as Decision['kind'][]),
    start: timestamp(),
    end: timestamp(),
    value: Type.Number({ description: 'the part of the sample on this day, in the unit of the metric' }),
    counted: nullable(
      Type.Number({ description: 'the amount that is part of the result; null where nothing is counted' }),
    ),
    reason: Type.String({ description: 'explanation for display' }),
  },
  { title: 'SampleDecision' },
);

export const explanationCandidate = Type.Object(
  {
    rank: Type.Integer({ description: 'rank for this metric; 1 is the highest' }),
    provider: Type.String(),
    device_id: uuid('device'),
    device_class: oneOfWords(DEVICE_CLASSES, { title: 'DeviceClass' }),
    transport: oneOfWords(['sdk', 'cloud'] as const),
    connected_at: timestamp(),
    enabled: Type.Boolean(),
    original_value: nullable(
      Type.Number({
        description:
          "the device's daily value; where only some of its sleeps add to the value, their part of it; null: it has none",
      }),
    ),
    original_unit: Type.String(),
    origin: oneOfWords(DAY_ORIGINS, {
      description:
        "where the value comes from: `stated` by the device as a daily total, its samples, its sleep and workout records, or `imported` from another vendor's device",
    }),
    outcome: oneOfWords(Object.keys(OUTCOME_REASONS) as ConsolidationOutcome[]),
    reason: Type.String({ description: 'explanation for display' }),
    contributed: nullable(Type.Number({ description: 'the part of the value that comes from this device' })),
    samples: nullable(
      Type.Object({ count: Type.Integer(), first: timestamp(), last: timestamp() }, { title: 'SampleRange' }),
    ),
    hrv_kind: hrvKind("kind of the device's value"),
    decisions: Type.Array(decision, { description: 'decisions about single samples, where there were any' }),
  },
  { title: 'DeviceCandidate' },
);

const record = Type.Object(
  {
    kind: oneOfWords(['sleep', 'workout'] as const),
    id: uuid('sleep session or workout'),
    provider: Type.String(),
    device_id: uuid('device'),
    device_class: oneOfWords(DEVICE_CLASSES, { title: 'DeviceClass' }),
    start: timestamp(),
    end: timestamp(),
    value: nullable(Type.Number({ description: 'the value of this record alone' })),
    outcome: oneOfWords(Object.keys(RECORD_REASONS) as RecordOutcome[]),
    reason: Type.String({ description: 'explanation for display' }),
    original_id: nullable(uuid('the record that it repeats, if it is a re-export')),
  },
  { title: 'ExplainedRecord' },
);

const night = Type.Object(
  {
    provider: Type.String(),
    device_id: uuid('device'),
    start: timestamp(),
    end: timestamp(),
    sessions: Type.Array(
      Type.Object(
        { start: timestamp(), end: timestamp(), device_id: Type.Optional(uuid('device')) },
        { title: 'NightPart' },
      ),
      {
        description:
          'the parts of the night; `device_id` only where it differs from that of the night, which is the device of the first part',
      },
    ),
    reason: Type.String({ description: 'explanation for display' }),
  },
  {
    title: 'ExplainedNight',
    description:
      'the main sleep of the date, for metrics that come from sleep; all other sleep sessions of the date are naps',
  },
);

export const explanation = Type.Object(
  {
    metric: Type.String(),
    date: Type.String({ format: 'date' }),
    day_start: timestamp(),
    day_end: timestamp(),
    value: nullable(
      Type.Number({ description: 'the value that GET /v1/users/{user_id}/daily returns; null where there is none' }),
    ),
    unit: Type.String(),
    method: nullable(oneOfWords(METHODS, { title: 'ConsolidationMethod' })),
    default_method: nullable(oneOfWords(METHODS, { title: 'ConsolidationMethod' })),
    setting: Type.Object(
      {
        key: nullable(
          Type.String({ description: 'consolidation key that sets the method; null where it cannot be set' }),
        ),
        overridden: Type.Boolean(),
      },
      { title: 'ExplainedSetting' },
    ),
    hrv_kind: hrvKind('kind of the value'),
    computed: nullable(
      Type.String({ description: 'how the value is computed; null where it is consolidated from devices' }),
    ),
    formula: nullable(
      Type.String({
        description: 'formula of a derived metric; null where the value comes from devices, sleep or workouts',
      }),
    ),
    inputs: nullable(Type.Array(input, { description: 'inputs of the formula' })),
    device_order: Type.Array(oneOfWords(DEVICE_CLASSES, { title: 'DeviceClass' }), {
      description: 'order of device classes, highest rank first; Mobile SDK sources rank before all of them',
    }),
    candidates: Type.Array(explanationCandidate, {
      description: 'every device with a value on that day, highest rank first',
    }),
    records: Type.Array(record, {
      description:
        'every sleep or workout record that was considered, those of the highest-ranked device first; empty for metrics that do not come from them',
    }),
    absence: nullable(
      Type.Object(
        { reason: oneOfWords(Object.keys(DAY_ABSENCES) as DayAbsence[]), message: Type.String() },
        { title: 'DailyAbsence', description: 'why there is no value' },
      ),
    ),
    night: nullable(night),
  },
  { title: 'DailyExplanation' },
);
