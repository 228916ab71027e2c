// The lines of a bundle as docs/bundle.md describes them. Unknown fields are ignored.
import type { Static } from 'typebox';
import { DEVICE_CLASSES } from '../../../../domain/metrics/index.ts';
import { CLOUD_PROVIDER_IDS, FILE_PROVIDER, ON_DEVICE_PROVIDERS } from '../../../../domain/provider-ids.ts';
import { MAX_LAPS, MAX_ROUTE_POINTS } from '../../../../domain/records/check-route.ts';
import { MAX_STAGES } from '../../../../domain/records/check-sleep.ts';
import { MAX_HEART_RATES } from '../../../../domain/records/check-workout.ts';
import { HRV_KINDS, RECORDING_METHODS, SLEEP_STAGES } from '../../../../domain/records/records.ts';
import { HRV_MEASURES } from '../../../../domain/scores/index.ts';
import { ENVIRONMENTS } from '../../../../domain/tenancy.ts';
import { OFFSET_LIMIT_MINUTES } from '../../../../domain/time/parse-instant.ts';
import { matching, nullable, oneOfWords } from '../../../../platform/http/schema.ts';
import { Type } from '../../../../platform/json-schema.ts';
import { profileReply } from '../../../tenancy/user-core/index.ts';
import { MAX_SAMPLES_PER_LINE } from './bundle-format.ts';

const MAX_ZONES = 1_000;
const MAX_DAYS_PER_LINE = 31;
const MAX_ZONE_LENGTH = 64;
const MAX_NAME_LENGTH = 500;
/** Of a record, and of an account at a provider. */
const MAX_KEY_LENGTH = 1_000;
const MAX_SETTINGS = 1_000;
const MAX_DEVICE_NUMBER = 32_767;
const MAX_TIME_MS = 8_640_000_000_000_000;

const time = () => Type.Integer({ minimum: -MAX_TIME_MS, maximum: MAX_TIME_MS });
const maybe = <Schema extends Parameters<typeof nullable>[0]>(schema: Schema) => Type.Optional(nullable(schema));
const text = (maxLength: number) => Type.String({ maxLength });
const number = () => maybe(Type.Number());
const device = { device: Type.Integer({ minimum: 1, maximum: MAX_DEVICE_NUMBER }) };
const method = { recording_method: oneOfWords(RECORDING_METHODS) };
const offset = {
  utc_offset_minutes: Type.Integer({ minimum: -OFFSET_LIMIT_MINUTES, maximum: OFFSET_LIMIT_MINUTES }),
};
const period = { key: Type.String({ minLength: 1, maxLength: MAX_KEY_LENGTH }), start: time(), end: time() };
const words = Type.Array(text(MAX_NAME_LENGTH), { maxItems: MAX_SETTINGS });

const header = Type.Object({
  user_id: text(MAX_NAME_LENGTH),
  reference_id: text(MAX_NAME_LENGTH),
  environment: oneOfWords(ENVIRONMENTS),
});

const user = Type.Object({
  time_zones: Type.Array(Type.Object({ valid_from: nullable(time()), zone: nullable(text(MAX_ZONE_LENGTH)) }), {
    minItems: 1,
    maxItems: MAX_ZONES,
  }),
  profile: profileReply,
  metadata: Type.Dictionary(text(MAX_NAME_LENGTH)),
  last_sync_at: maybe(time()),
  consolidation: nullable(
    Type.Object({
      metrics: Type.Dictionary(Type.Object({ method: nullable(text(MAX_ZONE_LENGTH)), providersOff: words })),
      providersOff: words,
    }),
  ),
});

const deviceLine = Type.Object({
  ...device,
  id: Type.String(matching('^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 'must be a UUID in lower case')),
  provider: oneOfWords([...CLOUD_PROVIDER_IDS, ...ON_DEVICE_PROVIDERS, FILE_PROVIDER]),
  transport: oneOfWords(['sdk', 'cloud']),
  device_class: oneOfWords(DEVICE_CLASSES),
  identity: nullable(text(MAX_KEY_LENGTH)),
  name: nullable(text(MAX_NAME_LENGTH)),
  model: nullable(text(MAX_NAME_LENGTH)),
  os_version: nullable(text(MAX_NAME_LENGTH)),
  observed_zone: nullable(text(MAX_NAME_LENGTH)),
  connected_at: time(),
  last_sync_at: nullable(time()),
});

const baseline = Type.Object({
  date: Type.String({ format: 'date' }),
  inputs: Type.Object({
    values: Type.Dictionary(Type.Number()),
    hrv: Type.Array(Type.Object({ device: Type.Integer(), measure: oneOfWords(HRV_MEASURES), ms: Type.Number() }), {
      maxItems: MAX_SETTINGS,
    }),
  }),
});

const numbers = (items: ReturnType<typeof Type.Number>) =>
  Type.Array(items, { minItems: 1, maxItems: MAX_SAMPLES_PER_LINE });
const times = () => Type.Array(time(), { minItems: 1, maxItems: MAX_SAMPLES_PER_LINE });
const samples = Type.Object({
  ...device,
  metric: text(MAX_ZONE_LENGTH),
  unit: text(MAX_ZONE_LENGTH),
  ...offset,
  ...method,
  start: times(),
  end: Type.Optional(times()),
  value: numbers(Type.Number()),
});

const daily = Type.Object({
  ...device,
  metric: text(MAX_ZONE_LENGTH),
  values: Type.Array(
    Type.Object({
      date: Type.String({ format: 'date' }),
      value: Type.Number(),
      unit: text(MAX_ZONE_LENGTH),
      ...method,
      is_imported: Type.Boolean(),
    }),
    { maxItems: MAX_DAYS_PER_LINE },
  ),
});

const sleep = Type.Object({
  ...device,
  ...period,
  ...offset,
  ...method,
  asleep_minutes: number(),
  deep_minutes: number(),
  light_minutes: number(),
  rem_minutes: number(),
  awake_minutes: number(),
  in_bed_minutes: number(),
  heart_rate: number(),
  heart_rate_variability: number(),
  hrv_kind: oneOfWords(HRV_KINDS),
  respiratory_rate: number(),
  blood_oxygen: number(),
  body_temperature: number(),
  skin_temperature: number(),
  wrist_temperature: number(),
  stages: maybe(
    tuples<[stage: (typeof SLEEP_STAGES)[number], start: number, end: number]>(MAX_STAGES, [
      oneOfWords(SLEEP_STAGES),
      time(),
      time(),
    ]),
  ),
});

const lap = Type.Object({
  start: time(),
  end: time(),
  distance_km: number(),
  active_calories: number(),
  avg_heart_rate: number(),
  max_heart_rate: number(),
  elevation_gain_m: number(),
});

const workout = Type.Object({
  ...device,
  ...period,
  ...offset,
  ...method,
  sport_type: text(MAX_NAME_LENGTH),
  name: maybe(text(MAX_NAME_LENGTH)),
  duration_minutes: number(),
  distance_km: number(),
  active_calories: number(),
  steps: number(),
  elevation_gain_m: number(),
  avg_mets: number(),
  weather_temperature_c: number(),
  weather_humidity_pct: number(),
  swimming_stroke_count: number(),
  swimming_lap_length_m: number(),
  avg_heart_rate: number(),
  max_heart_rate: number(),
  source_zones: maybe(
    Type.Object({ minutes: Type.Array(Type.Number(), { maxItems: 5 }), is_approximate: Type.Boolean() }),
  ),
  heart_rate_samples: maybe(tuples<[time: number, bpm: number]>(MAX_HEART_RATES, [time(), Type.Number()])),
  recorded_by: maybe(Type.Object({ vendor: nullable(text(MAX_ZONE_LENGTH)), id: nullable(text(MAX_KEY_LENGTH)) })),
  route: maybe(
    tuples<[time: number, latitude: number, longitude: number, elevationM: number | null]>(MAX_ROUTE_POINTS, [
      time(),
      Type.Number(),
      Type.Number(),
      nullable(Type.Number()),
    ]),
  ),
  laps: maybe(Type.Array(lap, { maxItems: MAX_LAPS })),
});

/** A list of arrays of a fixed length. */
function tuples<Item>(maxItems: number, items: readonly object[]) {
  return Type.Unsafe<Item[]>({
    type: 'array',
    maxItems,
    items: { type: 'array', minItems: items.length, maxItems: items.length, prefixItems: items },
  }) as ReturnType<typeof Type.Unsafe<Item[]>> & { type: string };
}

const end = Type.Object({ lines: Type.Integer(), sha256: text(MAX_NAME_LENGTH) });

export const LINE_SCHEMAS = { header, user, device: deviceLine, baseline, samples, daily, sleep, workout, end };

export type LineKind = keyof typeof LINE_SCHEMAS;
export type LineOf<Kind extends LineKind> = { readonly line: Kind } & Static<(typeof LINE_SCHEMAS)[Kind]>;
export type BundleLine = { [Kind in LineKind]: LineOf<Kind> }[LineKind];
