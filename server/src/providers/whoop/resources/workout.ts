// https://developer.whoop.com/api#tag/Workout
import type { Resource } from '../../contract.ts';
import { mapWorkouts } from '../map-workout.ts';
import { readNextToken, requestPage, requestRecord, SETTLED_AFTER_DAYS, WINDOW_DAYS } from './collection.ts';

const PATH = '/v2/activity/workout';

export const workoutResource: Resource = {
  name: 'workout',
  scope: 'read:workout',
  windowDays: WINDOW_DAYS,
  settledAfterDays: SETTLED_AFTER_DAYS,
  request: (window, cursor) => requestPage(PATH, window, cursor),
  requestOne: (id) => requestRecord(PATH, id),
  nextCursor: readNextToken,
  isEmpty: ({ status }) => status === 404,
  map: mapWorkouts,
};
