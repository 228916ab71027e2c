// Body, blood pressure, oxygen and temperature. https://developer.withings.com/api-reference/#operation/measure-getmeas
import type { Resource } from '../../contract.ts';
import { MEASURE_TYPES, mapMeasures } from '../map-measures.ts';
import { answered, atOffset, bySeconds, requestAction } from './action.ts';

const REAL = '1'; // 2 is goals

export const measuresResource: Resource = {
  ...answered,
  name: 'measures',
  scope: 'user.metrics',
  windowDays: 365,
  settledAfterDays: 7,
  request: (window, cursor) =>
    requestAction('/measure', 'getmeas', {
      meastypes: MEASURE_TYPES.join(','),
      category: REAL,
      ...bySeconds(window),
      ...atOffset(cursor),
    }),
  map: mapMeasures,
};
