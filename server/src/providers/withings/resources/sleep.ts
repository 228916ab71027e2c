// Sleeps: a summary of each, and its stages with a separate request. https://developer.withings.com/api-reference/#tag/sleep
import type { FetchInterval, FollowUp, Resource } from '../../contract.ts';
import { collectRecords } from '../../provider-records.ts';
import { readValues, required } from '../../read-json.ts';
import { readEpochSeconds } from '../../read-time.ts';
import { readBody } from '../answer.ts';
import { mapNight, STAGE_FIELDS } from '../map-night.ts';
import { mapSummaries, SUMMARY_FIELDS } from '../map-summaries.ts';
import { answered, atOffset, byDates, bySeconds, requestAction } from './action.ts';

const PATH = '/v2/sleep';

export const sleepResource: Resource = {
  ...answered,
  name: 'sleep',
  scope: 'user.activity',
  windowDays: 7,
  settledAfterDays: 7,
  request: (window, cursor) =>
    requestAction(PATH, 'getsummary', {
      ...byDates(window),
      data_fields: SUMMARY_FIELDS.join(','),
      ...atOffset(cursor),
    }),
  followUps: followPage,
  map: mapSummaries,
};

export const stagesResource: Resource = {
  ...answered,
  name: 'sleep_stages',
  scope: 'user.activity',
  isFollowUp: true,
  windowDays: 1, // for longer windows only the first 24 hours are returned
  settledAfterDays: 7,
  request: (window) => requestStages(window),
  nextCursor: () => null,
  map: mapNight,
};

function followPage(answer: unknown): FollowUp[] {
  const followUps: FollowUp[] = [];
  collectRecords().each(readValues(readBody(answer), 'series'), (summary) => {
    const from = required(readEpochSeconds(summary, 'startdate'), 'startdate');
    const to = required(readEpochSeconds(summary, 'enddate'), 'enddate');
    followUps.push({ resource: 'sleep_stages', request: requestStages({ from, to }), calledBy: summary });
  });
  return followUps;
}

function requestStages(interval: FetchInterval) {
  return requestAction(PATH, 'get', { ...bySeconds(interval), data_fields: STAGE_FIELDS.join(',') });
}
