// Response schemas of a user's head and day on the dashboard.

import { DAY_ORIGINS } from '../../../domain/consolidate/day-notes.ts';
import { type ConsolidationOutcome, OUTCOME_REASONS } from '../../../domain/consolidate/index.ts';
import { RANK_REASONS } from '../../../domain/consolidate/ranking.ts';
import { CATEGORIES } from '../../../domain/metrics/categories.ts';
import { DEVICE_CLASSES, METHODS } from '../../../domain/metrics/index.ts';
import { SLEEP_STAGES } from '../../../domain/records/records.ts';
import { nullable, oneOfWords, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { lastChange } from '../consolidation-editor/index.ts';
import { explanation, explanationCandidate } from '../daily/index.ts';

const date = () => Type.String({ format: 'date' });
const deviceNumber = () => Type.Integer({ description: 'number of the device, as in the head of the user' });
const columnOfDay = (description: string) => Type.Array(nullable(Type.Number()), { description });
const runs = Type.Array(
  Type.Object({ device: nullable(Type.Integer({ description: 'null: no source' })), quarters: Type.Integer() }),
  { description: 'the source of each quarter hour, equal neighbours joined' },
);

export const headReply = Type.Object({
  user: Type.Object({
    id: uuid('user'),
    reference_id: Type.String(),
    timezone: Type.String({ description: 'UTC if the user has none' }),
    metadata: Type.Object({}, { additionalProperties: Type.String() }),
    created_at: timestamp(),
    last_sync_at: nullable(timestamp()),
    score_status: Type.String(),
  }),
  devices: Type.Array(
    Type.Object({
      number: deviceNumber(),
      id: uuid('device'),
      provider: Type.String(),
      name: nullable(Type.String()),
      model: nullable(Type.String()),
      device_class: oneOfWords(DEVICE_CLASSES),
      transport: oneOfWords(['sdk', 'cloud'] as const),
      os_version: nullable(Type.String()),
      status: Type.String(),
      problem: nullable(Type.String({ description: 'what keeps the device from sending data' })),
      connected_at: nullable(timestamp()),
      last_sync_at: nullable(timestamp()),
    }),
    { description: 'in the order of connection' },
  ),
  overrides: Type.Integer({ description: 'consolidation settings that differ from the defaults' }),
  data_revision: Type.Integer(),
});

export const weekReply = Type.Object({
  days: Type.Array(
    Type.Object({
      date: date(),
      steps: nullable(Type.Number()),
      devices: Type.Array(
        Type.Object({
          device: deviceNumber(),
          coverage: Type.String({ description: 'half hours with a measurement; four per hexadecimal digit' }),
        }),
      ),
    }),
  ),
});

const session = {
  id: uuid('session'),
  device: deviceNumber(),
  start: timestamp(),
  end: timestamp(),
  date: date(),
  is_counted: Type.Boolean({ description: 'false: a duplicate, or its provider is disabled' }),
  copy_of: nullable(uuid('the canonical session')),
};

export const riverReply = Type.Object({
  date: date(),
  zone: Type.String(),
  from: timestamp(),
  to: timestamp(),
  day_start: timestamp(),
  hours: Type.Number({ description: 'length of the day' }),
  sleeps: Type.Array(
    Type.Object({
      ...session,
      is_main: Type.Boolean(),
      stages: nullable(
        Type.Array(
          Type.Object({
            stage: oneOfWords(SLEEP_STAGES),
            offset_s: Type.Number({ description: 'seconds after the start of the sleep' }),
            length_s: Type.Number(),
          }),
        ),
      ),
    }),
  ),
  workouts: Type.Array(Type.Object({ ...session, sport_type: Type.String(), name: nullable(Type.String()) })),
  metrics: Type.Array(
    Type.Object({
      metric: Type.String(),
      name: Type.String(),
      unit: Type.String(),
      decimals: Type.Integer(),
      kind: oneOfWords(['level', 'total'] as const),
      method: oneOfWords(METHODS),
      order: Type.Array(Type.Integer(), { description: 'enabled devices, highest rank first' }),
      devices: Type.Array(
        Type.Object({
          device: deviceNumber(),
          samples: nullable(
            Type.Object(
              { t0: Type.Number(), dt: Type.Array(Type.Number()), v: Type.Array(Type.Number()) },
              { description: 'levels: seconds since 1970, seconds between samples, values' },
            ),
          ),
          quarter_hours: nullable(
            Type.Object(
              { measured: columnOfDay('what the device measured'), counted: columnOfDay('the part in the value') },
              { description: 'totals: one entry per quarter hour of the day' },
            ),
          ),
        }),
      ),
      sources: runs,
    }),
  ),
  available: Type.Array(Type.Object({ metric: Type.String(), name: Type.String() }), {
    description: 'metrics with samples on this day',
  }),
});

const method = () => nullable(oneOfWords(METHODS));

export const valuesReply = Type.Object({
  date: date(),
  zone: Type.String(),
  values: Type.Array(
    Type.Object({
      metric: Type.String(),
      name: Type.String(),
      category: oneOfWords(CATEGORIES),
      unit: Type.String(),
      decimals: Type.Integer(),
      value: nullable(Type.Number()),
      method: method(),
      default_method: method(),
      overridden: Type.Boolean(),
      computed: Type.Boolean(),
      candidates: Type.Array(
        Type.Object({
          device: deviceNumber(),
          value: nullable(Type.Number({ description: 'in the unit of the metric' })),
          origin: oneOfWords(DAY_ORIGINS),
          outcome: oneOfWords(Object.keys(OUTCOME_REASONS) as ConsolidationOutcome[]),
          contributed: nullable(Type.Number()),
          enabled: Type.Boolean(),
        }),
      ),
    }),
  ),
});

export const valueReply = Type.Object({
  ...explanation.properties,
  setting: Type.Object({ ...explanation.properties.setting.properties, last_change: lastChange }),
  name: Type.String(),
  decimals: Type.Integer(),
  zone: Type.String(),
  candidates: Type.Array(
    Type.Object({
      ...explanationCandidate.properties,
      device: deviceNumber(),
      value: nullable(Type.Number({ description: 'the value of the device in the unit of the metric' })),
      rank_reason: oneOfWords([...RANK_REASONS, 'imported_copy'] as const),
      class_rank: Type.Integer({ description: 'rank of the device class for this metric; 0: not listed' }),
    }),
  ),
  quarter_hours: Type.Array(
    Type.Object({
      device: deviceNumber(),
      measured: columnOfDay('sums of totals, means of levels'),
      counted: columnOfDay('the part in the value'),
    }),
    { description: 'devices with samples' },
  ),
  alternatives: Type.Array(Type.Object({ method: oneOfWords(METHODS), value: nullable(Type.Number()) }), {
    description: 'the value that each allowed method gives; empty where the method cannot be set',
  }),
});
