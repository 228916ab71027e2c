// Request and response schemas of workouts: a list and a detail in each form.

import type { Static } from 'typebox';
import { ZONE_BASES } from '../../../domain/workouts/index.ts';
import { SPORT_TYPES } from '../../../domain/workouts/sports.ts';
import { nullable, oneOfWords, requestObject, timestamp, uuid, withDefault } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';
import {
  form1RangeQuery,
  form2ListQuery,
  includeSourcesQuery,
  sourceDetail,
  sourceForm1,
  unitSystemQuery,
} from '../shared/index.ts';
import { routeFields } from './route-schemas.ts';

export const workoutsForm1Query = requestObject({
  ...form1RangeQuery,
  ...unitSystemQuery,
  ...includeSourcesQuery,
  page: withDefault(Type.Integer({ minimum: 1, maximum: 1_000_000 }), 1),
  per_page: withDefault(Type.Integer({ minimum: 1, maximum: 100 }), 20),
});
export const workoutsForm2Query = requestObject(form2ListQuery);

const number = (description: string) => nullable(Type.Number({ description }));
const sportType = () =>
  oneOfWords(SPORT_TYPES, { title: 'SportType', description: 'sport; `other` for sports outside this list' });
const clock = () => Type.String({ description: "local time in the user's time zone, without offset" });
const zoneMinutes = () => Type.Number({ description: 'minutes' });

const zones = () =>
  Type.Unsafe<Record<string, number> | null>({
    ...Type.Object(
      {
        zone_1: zoneMinutes(),
        zone_2: zoneMinutes(),
        zone_3: zoneMinutes(),
        zone_4: zoneMinutes(),
        zone_5: zoneMinutes(),
      },
      { title: 'HeartRateZoneMinutes' },
    ),
    type: ['object', 'null'],
    description: 'from the heart-rate trace; without a trace, from the source; null where neither has zones',
  });

const zonesFrom = () =>
  nullable(
    Type.String({
      enum: [...ZONE_BASES],
      description:
        'trace: computed from heart-rate samples; source: the five zones of the source; source_approximate: the source has fewer zones, each assigned to the nearest of the five',
    }),
  );

const form1Item = {
  id: uuid('workout'),
  sport_type: sportType(),
  start: timestamp(),
  end: timestamp(),
  duration: Type.Number({ description: 'minutes' }),
  distance: number('km, or m for swimming; miles with unit_system=imperial'),
  active_calories: number('kcal'),
  heart_rate_avg: number('bpm'),
  heart_rate_max: number('bpm'),
  heart_rate_zones: zones(),
  elevation_gain: number('m, or ft with unit_system=imperial'),
};

export const workoutsForm1Reply = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          ...form1Item,
          source: Type.Optional(sourceForm1),
          heart_rate_zones_from: Type.Optional(zonesFrom()),
        },
        { title: 'WorkoutForm1' },
      ),
      { description: 'newest first; null where the source did not report it' },
    ),
    meta: Type.Object({ page: Type.Integer(), per_page: Type.Integer(), total: Type.Integer() }, { title: 'PageMeta' }),
  },
  { title: 'WorkoutListForm1' },
);

const listItem = {
  id: uuid('workout'),
  type: sportType(),
  start_time: clock(),
  duration_minutes: Type.Number(),
  calories: number('active energy, kcal'),
  distance_km: number('km'),
  source: Type.String({ description: 'provider' }),
  avg_heart_rate: number('bpm'),
  max_heart_rate: number('bpm'),
  strain: number('0 to 100, on the scale of the strain score; null before the 14th birthday'),
};

export const workoutsForm2Reply = Type.Object(
  {
    from_date: Type.String({ format: 'date' }),
    to_date: Type.String({ format: 'date' }),
    data: Type.Array(
      Type.Object({ ...listItem, source_detail: Type.Optional(sourceDetail) }, { title: 'WorkoutForm2' }),
      {
        description: 'newest first; null where the source did not report it',
      },
    ),
    next_cursor: nullable(Type.String()),
  },
  { title: 'WorkoutListForm2' },
);

const heartRate = Type.Object(
  {
    avg_bpm: nullable(Type.Number()),
    max_bpm: nullable(Type.Number()),
    zones: Type.Array(
      Type.Object(
        {
          zone: Type.Integer({ minimum: 1, maximum: 5 }),
          min_bpm: Type.Number(),
          max_bpm: Type.Number(),
          minutes: Type.Number(),
        },
        { title: 'HeartRateZone' },
      ),
    ),
    samples: Type.Array(Type.Object({ timestamp: clock(), bpm: Type.Number() }, { title: 'HeartRateSample' }), {
      description: 'averages over 15 s for workouts up to one hour, 30 s up to two hours, 60 s beyond',
    }),
  },
  { title: 'WorkoutHeartRate' },
);

const detail = {
  ...listItem,
  name: Type.String({ description: "the source's name for the workout, or the name of the sport" }),
  metrics: Type.Object(
    {
      elevation_meters: number('m'),
      steps: number('count'),
      avg_speed_kmh: number('km/h'),
      avg_pace_seconds_per_km: number('s/km'),
      avg_mets: number('MET'),
      weather_temperature_c: number('°C'),
      weather_humidity_pct: number('percent'),
      swimming_stroke_count: number('count'),
      swimming_lap_length_m: number('m'),
    },
    { title: 'WorkoutMetrics' },
  ),
  heart_rate: Type.Unsafe<Static<typeof heartRate> | null>({
    ...heartRate,
    type: ['object', 'null'],
    description: 'null where the source sent no heart-rate trace',
  }),
  heart_rate_zones: zones(),
  heart_rate_zones_from: zonesFrom(),
  source_detail: sourceDetail,
  copy_of: nullable(uuid('the canonical workout, which lists contain; null if this is the canonical one')),
  copies: Type.Array(
    Type.Object(
      {
        id: uuid('workout'),
        source: Type.String({ description: 'provider' }),
        device_id: uuid('device'),
        start_time: clock(),
        duration_minutes: Type.Number(),
        re_export_of: nullable(
          Type.String({ description: 'the provider whose record this source passed on; null if none is known' }),
        ),
      },
      { title: 'WorkoutCopy' },
    ),
    {
      description:
        'duplicates: the same workout as recorded by other devices; lists omit them. Each id can be read like any workout. Empty for a duplicate',
    },
  ),
  ...routeFields,
};

export const workoutForm1Reply = Type.Object({ ...detail, ...form1Item }, { title: 'WorkoutDetailForm1' });
export const workoutForm2Reply = Type.Object(detail, { title: 'WorkoutDetailForm2' });
