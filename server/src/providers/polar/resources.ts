// The resources of Polar. Lists without a window return their last 28 or 30 days.
// https://www.polar.com/accesslink-api/
import type { FetchWindow, ProviderAccount, ProviderRequest, Resource } from '../contract.ts';
import { mapBodyTemperature, mapSkinTemperature, mapSpo2 } from './map-biosensing.ts';
import { mapActivities, mapContinuousHeartRate } from './map-days.ts';
import { mapExercises } from './map-exercises.ts';
import { mapPhysicalInfo } from './map-physical-info.ts';
import { mapNightlyRecharge, mapSleep } from './map-sleep.ts';

type Plan = Pick<Resource, 'name' | 'windowDays' | 'historyDays' | 'map'> & {
  readonly path: string;
  /** Accepts from and to. */
  readonly hasWindow: boolean;
  /** Has a request for a single id or date. */
  readonly hasOne: boolean;
  readonly query?: Readonly<Record<string, string>>;
  /** Added for accounts that keep routes. */
  readonly routeQuery?: Readonly<Record<string, string>>;
};

const PLANS: readonly Plan[] = [
  {
    name: 'exercises',
    path: '/v3/exercises',
    windowDays: 30,
    historyDays: 30, // by time of upload
    hasWindow: false,
    hasOne: true,
    query: { samples: 'true', zones: 'true' },
    routeQuery: { route: 'true' },
    map: mapExercises,
  },
  {
    name: 'activities',
    path: '/v3/users/activities',
    windowDays: 28,
    historyDays: 365,
    hasWindow: true,
    hasOne: true,
    query: { steps: 'true', activity_zones: 'true' },
    map: mapActivities,
  },
  { name: 'sleep', path: '/v3/users/sleep', ...days28(), hasWindow: false, hasOne: true, map: mapSleep },
  {
    name: 'nightly-recharge',
    path: '/v3/users/nightly-recharge',
    ...days28(),
    hasWindow: false,
    hasOne: true,
    map: mapNightlyRecharge,
  },
  {
    name: 'continuous-heart-rate',
    path: '/v3/users/continuous-heart-rate',
    ...days28(),
    hasWindow: true,
    hasOne: true,
    map: mapContinuousHeartRate,
  },
  { name: 'spo2', path: '/v3/users/biosensing/spo2', ...days28(), ...windowOnly(), map: mapSpo2 },
  {
    name: 'skin-temperature',
    path: '/v3/users/biosensing/skintemperature',
    ...days28(),
    ...windowOnly(),
    map: mapSkinTemperature,
  },
  {
    name: 'body-temperature',
    path: '/v3/users/biosensing/bodytemperature',
    ...days28(),
    ...windowOnly(),
    map: mapBodyTemperature,
  },
  {
    name: 'physical-info',
    path: '/v3/users/physical-info',
    ...days28(), // has no history: only the current state
    hasWindow: false,
    hasOne: false,
    map: mapPhysicalInfo,
  },
];

export const POLAR_RESOURCES: readonly Resource[] = PLANS.map(toResource);

function days28() {
  return { windowDays: 28, historyDays: 28 };
}

function windowOnly() {
  return { hasWindow: true, hasOne: false };
}

function toResource({ path, hasWindow, hasOne, query = {}, routeQuery = {}, ...rest }: Plan): Resource {
  const queryOf = ({ keepsRoutes }: ProviderAccount) => (keepsRoutes ? { ...query, ...routeQuery } : query);
  return {
    ...rest,
    scope: null,
    settledAfterDays: 3, // devices sync late
    request: (window, _, account) => get(path, { ...(hasWindow && datesOf(window)), ...queryOf(account) }),
    ...(hasOne && { requestOne: (id, account) => get(`${path}/${encodeURIComponent(id)}`, queryOf(account)) }),
    nextCursor: () => null,
    isEmpty: ({ status }) => status === 204 || status === 404,
  };
}

function datesOf({ fromDate, toDate }: FetchWindow): Readonly<Record<string, string>> {
  return { from: fromDate, to: toDate };
}

function get(path: string, query: Readonly<Record<string, string>>): ProviderRequest {
  return { origin: 'api', method: 'GET', path, query, headers: { accept: 'application/json' }, as: 'person' };
}
