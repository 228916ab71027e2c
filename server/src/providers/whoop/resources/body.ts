// https://developer.whoop.com/api#tag/User: body measurements of the profile.
import type { Resource } from '../../contract.ts';
import { mapBody } from '../map-body.ts';

const PATH = '/developer/v2/user/measurement/body';

/** Has no history: always the current profile. */
export const bodyResource: Resource = {
  name: 'body_measurement',
  scope: 'read:body_measurement',
  windowDays: 1,
  settledAfterDays: 1,
  historyDays: 1,
  isCurrentOnly: true,
  request: () => ({ origin: 'api', method: 'GET', path: PATH, as: 'person' }),
  nextCursor: () => null,
  isEmpty: ({ status }) => status === 404,
  map: mapBody,
};
