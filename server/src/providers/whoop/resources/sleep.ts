// Sleeps, and what follows from each page of them: recoveries and cycles have no date of their own, and take it from the sleep.
// https://developer.whoop.com/api#tag/Sleep, https://developer.whoop.com/api#tag/Recovery, https://developer.whoop.com/api#tag/Cycle
import type { FollowUp, Resource } from '../../contract.ts';
import { collectRecords } from '../../provider-records.ts';
import { readMoment } from '../../read-time.ts';
import { mapCycles } from '../map-cycle.ts';
import { mapNights } from '../map-sleep.ts';
import {
  readNextToken,
  readRecords,
  requestPage,
  requestRecord,
  SETTLED_AFTER_DAYS,
  WINDOW_DAYS,
} from './collection.ts';

const SLEEP = '/v2/activity/sleep';
const RECOVERY = '/v2/recovery';
const CYCLE = '/v2/cycle';

const paged = {
  windowDays: WINDOW_DAYS,
  settledAfterDays: SETTLED_AFTER_DAYS,
  nextCursor: readNextToken,
  isEmpty: ({ status }: { readonly status: number }) => status === 404,
  readFailure: null,
};

/** Tells nothing by itself: the sleeps are told with their recoveries, so that a night is written once and whole. */
export const sleepResource: Resource = {
  ...paged,
  name: 'sleep',
  scope: 'read:sleep',
  request: (window, cursor) => requestPage(SLEEP, window, cursor),
  requestOne: (id) => requestRecord(SLEEP, id),
  followUps: followPage,
  map: () => collectRecords().records(),
};

export const recoveryResource: Resource = {
  ...paged,
  name: 'recovery',
  scope: 'read:recovery',
  isFollowUp: true,
  request: (window, cursor) => requestPage(RECOVERY, window, cursor),
  requestOne: null,
  map: mapNights,
};

export const cycleResource: Resource = {
  ...paged,
  name: 'cycle',
  scope: 'read:cycles',
  isFollowUp: true,
  request: (window, cursor) => requestPage(CYCLE, window, cursor),
  requestOne: (id) => requestRecord(CYCLE, id),
  map: mapCycles,
};

/** One request for all recoveries of a page, one for its cycles: neither can be more than the sleeps. */
function followPage(body: unknown): FollowUp[] {
  const sleeps = readRecords(body);
  const times = sleeps.flatMap((sleep) => ['start', 'end'].map((name) => readMoment(sleep, name)?.ms ?? null));
  const known = times.filter((ms) => ms !== null);
  if (known.length === 0) return [];
  const span = { from: Math.min(...known), to: Math.max(...known) };
  return [
    { resource: 'recovery', request: requestPage(RECOVERY, span, null), calledBy: body },
    { resource: 'cycle', request: requestPage(CYCLE, span, null), calledBy: body },
  ];
}
