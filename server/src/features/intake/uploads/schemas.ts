// Wire schemas of uploads: what the OpenAPI document shows, and which fields there are. The items are checked by hand
// (parse-*.ts), because a bad one is named in the answer instead of refusing the whole, and because there are so many.
import type { TObject } from 'typebox';
import { DEVICE_CLASSES } from '../../../domain/metrics/index.ts';
import { MAX_TEXT_LENGTH, MAX_WORD_LENGTH } from '../../../domain/metrics/record-limits.ts';
import { ON_DEVICE_PROVIDERS } from '../../../domain/provider-ids.ts';
import { HRV_KINDS, RECORDING_METHODS, SLEEP_STAGES } from '../../../domain/records/records.ts';
import { SPORT_TYPES } from '../../../domain/workouts/sports.ts';
import { nullable, oneOfWords, requestObject, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import { REJECT_CODES, type RejectCode } from './reject.ts';

const text = (maxLength = MAX_TEXT_LENGTH, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description && { description }) });
const time = (description = 'ISO 8601 with Z or an offset; the offset is kept') =>
  Type.String({ format: 'date-time', description });
const maybeText = (maxLength?: number, description?: string) => Type.Optional(nullable(text(maxLength, description)));
const maybeNumber = (description?: string) =>
  Type.Optional(nullable(Type.Number({ ...(description && { description }) })));
const recordingMethod = () =>
  Type.Optional(nullable(oneOfWords(RECORDING_METHODS, { description: 'default unknown' })));
const metric = () => Type.String({ description: 'an id of GET /v1/catalog/metrics' });
const unit = () => maybeText(MAX_WORD_LENGTH, 'one of accepted_units of the metric; default its own unit');
const recordId = () => maybeText(MAX_TEXT_LENGTH, "the platform's record id; without one the start identifies it");

export const sourceObject = requestObject({
  provider: oneOfWords(ON_DEVICE_PROVIDERS, { description: "one of the session's sources" }),
  id: maybeText(),
  name: maybeText(),
  model: maybeText(),
  device_class: Type.Optional(nullable(oneOfWords(DEVICE_CLASSES))),
  os_version: maybeText(MAX_WORD_LENGTH),
});

export const sampleItem = requestObject({
  metric: metric(),
  start: time(),
  end: Type.Optional(nullable(time('not before the start, at most 31 days after it; default the start'))),
  value: Type.Number(),
  unit: unit(),
  recording_method: recordingMethod(),
});

export const dailyItem = requestObject({
  date: Type.String({ format: 'date', description: "a day of the person's calendar" }),
  metric: metric(),
  value: Type.Number(),
  unit: unit(),
  recording_method: recordingMethod(),
});

export const stageItem = requestObject({ stage: oneOfWords(SLEEP_STAGES), start: time(), end: time() });

export const sleepItem = requestObject({
  id: recordId(),
  start: time(),
  end: time('at most 24 hours after the start'),
  stages: Type.Optional(nullable(Type.Array(stageItem))),
  asleep_minutes: maybeNumber('default from the stages, like all minutes'),
  deep_minutes: maybeNumber(),
  light_minutes: maybeNumber(),
  rem_minutes: maybeNumber(),
  awake_minutes: maybeNumber(),
  in_bed_minutes: maybeNumber(),
  heart_rate: maybeNumber('bpm'),
  heart_rate_variability: maybeNumber('ms'),
  hrv_kind: Type.Optional(
    nullable(oneOfWords(HRV_KINDS, { description: 'default sdnn for apple_health, rmssd otherwise' })),
  ),
  respiratory_rate: maybeNumber('breaths/min'),
  blood_oxygen: maybeNumber('%'),
  body_temperature: maybeNumber('°C'),
  skin_temperature: maybeNumber('°C'),
  wrist_temperature: maybeNumber('°C'),
  recording_method: recordingMethod(),
});

export const heartRateItem = requestObject({ timestamp: time(), bpm: Type.Number() });

export const heartRatePart = requestObject({
  avg_bpm: maybeNumber(),
  max_bpm: maybeNumber(),
  samples: Type.Optional(nullable(Type.Array(heartRateItem))),
});

export const workoutItem = requestObject({
  id: recordId(),
  sport_type: Type.String({
    minLength: 1,
    maxLength: MAX_TEXT_LENGTH,
    description: `one of ${SPORT_TYPES.join(', ')}; or the name in HealthKit (\`HKWorkoutActivityTypeRunning\`, \`running\`) or Health Connect (\`EXERCISE_TYPE_RUNNING\`, \`RUNNING\`). Case and separators do not matter. Any other name becomes \`other\`, and is kept in \`name\` unless you send one`,
    examples: ['running', 'HKWorkoutActivityTypeTraditionalStrengthTraining', 'EXERCISE_TYPE_BIKING'],
  }),
  start: time(),
  end: time('at most 7 days after the start'),
  name: maybeText(),
  duration_minutes: maybeNumber(),
  distance_km: maybeNumber(),
  active_calories: maybeNumber('kcal'),
  steps: maybeNumber(),
  elevation_gain_m: maybeNumber(),
  avg_mets: maybeNumber(),
  weather_temperature_c: maybeNumber(),
  weather_humidity_pct: maybeNumber(),
  swimming_stroke_count: maybeNumber(),
  swimming_lap_length_m: maybeNumber(),
  heart_rate: Type.Optional(nullable(heartRatePart)),
  recording_method: recordingMethod(),
});

export const DELETION_KINDS = ['samples', 'sleep', 'workout'] as const;

export const deletionItem = requestObject({
  kind: oneOfWords(DELETION_KINDS),
  metric: Type.Optional(Type.String({ description: 'of samples' })),
  start: Type.Optional(time('of samples: those of this source, by any installation, whose start lies from here')),
  end: Type.Optional(time('of samples: up to and with here')),
  id: Type.Optional(text(MAX_TEXT_LENGTH, 'of a sleep or a workout; of one that came without, its start')),
});

export const uploadBody = requestObject({
  upload_id: uuid('made by the client, once per upload; a retry repeats it'),
  source: sourceObject,
  timezone: maybeText(MAX_TEXT_LENGTH, 'IANA name; recorded, never changes the profile'),
  samples: Type.Optional(Type.Array(sampleItem)),
  daily: Type.Optional(Type.Array(dailyItem)),
  sleep: Type.Optional(Type.Array(sleepItem)),
  workouts: Type.Optional(Type.Array(workoutItem)),
  deleted: Type.Optional(Type.Array(deletionItem)),
});

export const uploadReply = Type.Object({
  upload_id: uuid('as sent'),
  accepted: Type.Integer({ description: 'taken, new or as a correction' }),
  duplicates: Type.Integer({ description: 'already there exactly so, or repeated within the upload' }),
  deleted: Type.Integer(),
  rejected: Type.Array(
    Type.Object({
      path: Type.String({ description: 'such as samples[3].value' }),
      error: oneOfWords(Object.keys(REJECT_CODES) as RejectCode[]),
      message: Type.String(),
    }),
    { description: 'one per refused item, by its first fault; the first 1,000' },
  ),
  rejected_count: Type.Integer({ description: 'all refused items' }),
});

export const SOURCE_FIELDS = fieldsOf(sourceObject);
export const SAMPLE_FIELDS = fieldsOf(sampleItem);
export const DAILY_FIELDS = fieldsOf(dailyItem);
export const STAGE_FIELDS = fieldsOf(stageItem);
export const SLEEP_FIELDS = fieldsOf(sleepItem);
export const HEART_RATE_ITEM_FIELDS = fieldsOf(heartRateItem);
export const HEART_RATE_FIELDS = fieldsOf(heartRatePart);
export const WORKOUT_FIELDS = fieldsOf(workoutItem);
export const DELETION_FIELDS = fieldsOf(deletionItem);
export const UPLOAD_FIELDS = fieldsOf(uploadBody);

function fieldsOf(schema: TObject): ReadonlySet<string> {
  return new Set(Object.keys(schema.properties));
}
