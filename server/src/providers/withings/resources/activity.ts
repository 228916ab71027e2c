// Days, workouts and intraday data. https://developer.withings.com/api-reference/#tag/measure
import type { Resource } from '../../contract.ts';
import { ACTIVITY_FIELDS, mapActivity } from '../map-activity.ts';
import { INTRADAY_FIELDS, mapIntraday } from '../map-intraday.ts';
import { mapWorkouts, WORKOUT_FIELDS } from '../map-workouts.ts';
import { answered, atOffset, byDates, bySeconds, requestAction } from './action.ts';

const PATH = '/v2/measure';
const WINDOW_DAYS = 30;
/** Few enough for one page: rows of one date on two pages could not be recognized as duplicates. */
const ACTIVITY_WINDOW_DAYS = 7;
const SETTLED_AFTER_DAYS = 7;

/** Without `data_fields` most values are missing. */
const dated = (action: string, dataFields: readonly string[]): Pick<Resource, 'request'> => ({
  request: (window, cursor) =>
    requestAction(PATH, action, { ...byDates(window), data_fields: dataFields.join(','), ...atOffset(cursor) }),
});

export const activityResource: Resource = {
  ...answered,
  ...dated('getactivity', ACTIVITY_FIELDS),
  name: 'activity',
  scope: 'user.activity',
  windowDays: ACTIVITY_WINDOW_DAYS,
  settledAfterDays: SETTLED_AFTER_DAYS,
  map: mapActivity,
};

export const workoutsResource: Resource = {
  ...answered,
  ...dated('getworkouts', WORKOUT_FIELDS),
  name: 'workouts',
  scope: 'user.activity',
  windowDays: WINDOW_DAYS,
  settledAfterDays: SETTLED_AFTER_DAYS,
  map: mapWorkouts,
};

export const intradayResource: Resource = {
  ...answered,
  name: 'intraday',
  scope: 'user.activity',
  windowDays: 1, // for longer windows only the first 24 hours are returned
  settledAfterDays: 2,
  historyDays: 30, // one request per day: more would use up the budget of all users
  request: (window) =>
    requestAction(PATH, 'getintradayactivity', { ...bySeconds(window), data_fields: INTRADAY_FIELDS.join(',') }),
  nextCursor: () => null,
  map: mapIntraday,
};
