// Schemas of the route and the laps of a workout, the same in both forms.
import type { Static } from 'typebox';
import { matching, nullable, timestamp, uuid } from '../../../platform/http/schema.ts';
import { Type } from '../../../platform/json-schema.ts';

export const includeRouteQuery = {
  include: Type.Optional(
    Type.String({
      ...matching('^(route|laps)(,(route|laps))*$', 'must be route, laps or both, separated by a comma'),
      description: 'adds `route` or `laps`, separated by commas: `include=route,laps`',
      examples: ['route,laps'],
    }),
  ),
};

const origin = {
  source: Type.String({ description: 'provider of the device that recorded it' }),
  device_id: uuid('device; that of the workout, or of a copy if the device of the workout recorded none'),
};

const route = Type.Object(
  {
    ...origin,
    points: Type.Array(
      Type.Object(
        {
          timestamp: timestamp(),
          latitude: Type.Number({ description: 'degrees (WGS 84)' }),
          longitude: Type.Number({ description: 'degrees (WGS 84)' }),
          elevation_m: nullable(Type.Number({ description: 'm' })),
        },
        { title: 'RoutePoint' },
      ),
      { description: 'ascending in time, at most 50,000; a longer route is thinned out evenly' },
    ),
  },
  { title: 'WorkoutRoute' },
);

const laps = Type.Object(
  {
    ...origin,
    items: Type.Array(
      Type.Object(
        {
          start: timestamp(),
          end: timestamp(),
          distance_km: nullable(Type.Number({ description: 'km' })),
          active_calories: nullable(Type.Number({ description: 'kcal' })),
          avg_heart_rate: nullable(Type.Number({ description: 'bpm' })),
          max_heart_rate: nullable(Type.Number({ description: 'bpm' })),
          elevation_gain_m: nullable(Type.Number({ description: 'm' })),
        },
        { title: 'WorkoutLap' },
      ),
      { description: 'by start, at most 1,000' },
    ),
  },
  { title: 'WorkoutLaps' },
);

const NULL_IF = 'null if no device recorded it, or if the account does not keep routes';

export const routeFields = {
  route: Type.Optional(
    Type.Unsafe<Static<typeof route> | null>({
      ...route,
      type: ['object', 'null'],
      description: `only with include=route; ${NULL_IF}`,
    }),
  ),
  laps: Type.Optional(
    Type.Unsafe<Static<typeof laps> | null>({
      ...laps,
      type: ['object', 'null'],
      description: `only with include=laps; ${NULL_IF}`,
    }),
  ),
};
