// Wire schemas of uploads, for the OpenAPI document and the lists of known fields. The items are checked by hand
// (parse-*.ts), because an invalid item is rejected on its own, and because an upload can have very many items.
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
  Type.Optional(nullable(oneOfWords(RECORDING_METHODS, { title: 'RecordingMethod', description: 'default: unknown' })));
const metric = () => Type.String({ description: 'metric id, see GET /v1/catalog/metrics' });
const unit = () => maybeText(MAX_WORD_LENGTH, "one of the metric's accepted_units; default: its unit in the catalog");
const recordId = () =>
  maybeText(MAX_TEXT_LENGTH, "the platform's record id; without it the start identifies the record");

const sourceObject = requestObject(
  {
    provider: oneOfWords(ON_DEVICE_PROVIDERS, {
      title: 'OnDeviceProvider',
      description: "one of the session's sources",
    }),
    id: maybeText(),
    name: maybeText(),
    model: maybeText(),
    device_class: Type.Optional(nullable(oneOfWords(DEVICE_CLASSES, { title: 'DeviceClass' }))),
    os_version: maybeText(MAX_WORD_LENGTH),
  },
  { title: 'UploadSource' },
);

const sampleItem = requestObject(
  {
    metric: metric(),
    start: time(),
    end: Type.Optional(nullable(time('not before the start and at most 31 days after it; default: the start'))),
    value: Type.Number(),
    unit: unit(),
    recording_method: recordingMethod(),
  },
  { title: 'UploadSample' },
);

const dailyItem = requestObject(
  {
    date: Type.String({ format: 'date', description: "calendar day in the user's time zone" }),
    metric: metric(),
    value: Type.Number(),
    unit: unit(),
    recording_method: recordingMethod(),
  },
  { title: 'UploadDailyValue' },
);

const stageItem = requestObject(
  { stage: oneOfWords(SLEEP_STAGES, { title: 'SleepStageName' }), start: time(), end: time() },
  { title: 'UploadSleepStage' },
);

const sleepItem = requestObject(
  {
    id: recordId(),
    start: time(),
    end: time('at most 24 hours after the start'),
    stages: Type.Optional(nullable(Type.Array(stageItem))),
    asleep_minutes: maybeNumber('default: computed from the stages, as for all minutes'),
    deep_minutes: maybeNumber(),
    light_minutes: maybeNumber(),
    rem_minutes: maybeNumber(),
    awake_minutes: maybeNumber(),
    in_bed_minutes: maybeNumber(),
    heart_rate: maybeNumber('bpm'),
    heart_rate_variability: maybeNumber('ms'),
    hrv_kind: Type.Optional(
      nullable(
        oneOfWords(HRV_KINDS, { title: 'HrvKind', description: 'default: sdnn for apple_health, otherwise rmssd' }),
      ),
    ),
    respiratory_rate: maybeNumber('breaths/min'),
    blood_oxygen: maybeNumber('%'),
    body_temperature: maybeNumber('°C'),
    skin_temperature: maybeNumber('°C'),
    wrist_temperature: maybeNumber('°C'),
    recording_method: recordingMethod(),
  },
  { title: 'UploadSleep' },
);

const heartRateItem = requestObject({ timestamp: time(), bpm: Type.Number() }, { title: 'UploadHeartRateSample' });

const heartRatePart = requestObject(
  {
    avg_bpm: maybeNumber(),
    max_bpm: maybeNumber(),
    samples: Type.Optional(nullable(Type.Array(heartRateItem))),
  },
  { title: 'UploadHeartRate' },
);

const routePointItem = requestObject(
  {
    timestamp: time('within the workout'),
    latitude: Type.Number({ description: 'degrees (WGS 84)' }),
    longitude: Type.Number({ description: 'degrees (WGS 84)' }),
    elevation_m: maybeNumber('m'),
  },
  { title: 'UploadRoutePoint' },
);

const lapItem = requestObject(
  {
    start: time('within the workout'),
    end: time('within the workout'),
    distance_km: maybeNumber(),
    active_calories: maybeNumber('kcal'),
    avg_heart_rate: maybeNumber('bpm'),
    max_heart_rate: maybeNumber('bpm'),
    elevation_gain_m: maybeNumber(),
  },
  { title: 'UploadLap' },
);

const NOT_KEPT = 'dropped unless the account keeps routes (`keep_routes`); see `routes_not_kept` in the response';

const recordedByPart = requestObject(
  {
    app: text(
      MAX_TEXT_LENGTH,
      'bundle or package id of the app that wrote the record: `sourceRevision.source.bundleIdentifier` of HealthKit, `dataOrigin` of Health Connect',
    ),
    id: maybeText(MAX_TEXT_LENGTH, "the vendor's own id of the workout, if the record has it"),
  },
  {
    title: 'UploadRecordedBy',
    description:
      'default: the source. Send it if one source has records of several apps, or if the vendor’s id is known',
  },
);

const workoutItem = requestObject(
  {
    id: recordId(),
    sport_type: Type.String({
      minLength: 1,
      maxLength: MAX_TEXT_LENGTH,
      description: `one of ${SPORT_TYPES.join(', ')}; or the name in HealthKit (\`HKWorkoutActivityTypeRunning\`, \`running\`) or Health Connect (\`EXERCISE_TYPE_RUNNING\`, \`RUNNING\`). Case and separators do not matter. Any other value becomes \`other\` and is stored in \`name\` unless you send a name`,
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
    route: Type.Optional(nullable(Type.Array(routePointItem, { description: NOT_KEPT }))),
    laps: Type.Optional(nullable(Type.Array(lapItem, { description: NOT_KEPT }))),
    recorded_by: Type.Optional(nullable(recordedByPart)),
    recording_method: recordingMethod(),
  },
  { title: 'UploadWorkout' },
);

export const DELETION_KINDS = ['samples', 'sleep', 'workout'] as const;

const deletionItem = requestObject(
  {
    kind: oneOfWords(DELETION_KINDS),
    metric: Type.Optional(Type.String({ description: 'only for samples' })),
    start: Type.Optional(
      time('only for samples: deletes samples of this source, from any installation, that start at or after this time'),
    ),
    end: Type.Optional(time('only for samples: deletes samples that start at or before this time')),
    id: Type.Optional(text(MAX_TEXT_LENGTH, 'id of a sleep or a workout; its start if it was sent without an id')),
  },
  { title: 'UploadDeletion' },
);

export const uploadBody = requestObject(
  {
    upload_id: uuid('upload, created by the client; a retry sends the same id'),
    source: sourceObject,
    timezone: maybeText(MAX_TEXT_LENGTH, "IANA name; recorded only, does not change the user's time zone"),
    samples: Type.Optional(Type.Array(sampleItem)),
    daily: Type.Optional(Type.Array(dailyItem)),
    sleep: Type.Optional(Type.Array(sleepItem)),
    workouts: Type.Optional(Type.Array(workoutItem)),
    deleted: Type.Optional(Type.Array(deletionItem)),
  },
  { title: 'Upload' },
);

export const uploadReply = Type.Object(
  {
    upload_id: uuid('upload, as sent'),
    accepted: Type.Integer({ description: 'items stored, new or as a correction' }),
    duplicates: Type.Integer({
      description: 'items already stored with the same values, or repeated within the upload',
    }),
    deleted: Type.Integer(),
    rejected: Type.Array(
      Type.Object(
        {
          path: Type.String({ description: 'such as samples[3].value' }),
          error: oneOfWords(Object.keys(REJECT_CODES) as RejectCode[]),
          message: Type.String(),
        },
        { title: 'RejectedItem' },
      ),
      { description: 'the first 1,000 rejected items, each with its first error' },
    ),
    rejected_count: Type.Integer({ description: 'number of all rejected items' }),
    routes_not_kept: Type.Optional(
      Type.Integer({
        description:
          'accepted workouts whose route or laps were dropped, because the account does not keep routes; absent if there are none',
      }),
    ),
  },
  { title: 'UploadResult' },
);

export const SOURCE_FIELDS = fieldsOf(sourceObject);
export const SAMPLE_FIELDS = fieldsOf(sampleItem);
export const DAILY_FIELDS = fieldsOf(dailyItem);
export const STAGE_FIELDS = fieldsOf(stageItem);
export const SLEEP_FIELDS = fieldsOf(sleepItem);
export const HEART_RATE_ITEM_FIELDS = fieldsOf(heartRateItem);
export const HEART_RATE_FIELDS = fieldsOf(heartRatePart);
export const ROUTE_POINT_FIELDS = fieldsOf(routePointItem);
export const LAP_FIELDS = fieldsOf(lapItem);
export const WORKOUT_FIELDS = fieldsOf(workoutItem);
export const RECORDED_BY_FIELDS = fieldsOf(recordedByPart);
export const DELETION_FIELDS = fieldsOf(deletionItem);
export const UPLOAD_FIELDS = fieldsOf(uploadBody);

function fieldsOf(schema: TObject): ReadonlySet<string> {
  return new Set(Object.keys(schema.properties));
}
