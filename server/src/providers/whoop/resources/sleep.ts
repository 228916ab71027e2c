// Sleeps and the follow-ups of each page: recoveries and cycles have no date of their own and take it from the sleep.
// https://developer.whoop.com/api#tag/Sleep, https://developer.whoop.com/api#tag/Recovery, https://developer.whoop.com/api#tag/Cycle
import { DAY_MS } from '../../../domain/time/durations.ts';
import type { FetchInterval, FollowUp, Resource } from '../../contract.ts';
import { collectRecords } from '../../provider-records.ts';
import { readMoment } from '../../read-time.ts';
import { mapCycles } from '../map-cycle.ts';
import { mapNights } from '../map-sleep.ts';
import {
  listRecords,
  readNextToken,
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
};

/** Maps nothing itself: sleeps are mapped with their recoveries, so that a night is written once and complete. */
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

/** Cycles begin about once a day, also without the band and without a sleep: an interval of this length has no second page. */
const CYCLES_MS = 20 * DAY_MS;

/** One request for all recoveries of a page, which cannot outnumber its sleeps, and as many as needed for its cycles. */
function followPage(body: unknown): FollowUp[] {
  const known: number[] = [];
  collectRecords().each(listRecords(body), (sleep) => {
    const times = ['start', 'end'].map((name) => readMoment(sleep, name));
    known.push(...times.flatMap((time) => time?.ms ?? []));
  });
  const intervals = joinTimes(known);
  const [first, last] = [intervals[0], intervals.at(-1)];
  if (first === undefined || last === undefined) return [];
  const whole = { from: first.from, to: last.to };
  return [
    { resource: 'recovery', request: requestPage(RECOVERY, whole, null), calledBy: body },
    ...intervals
      .flatMap((interval) => cutInterval(interval, CYCLES_MS))
      .map((part) => ({ resource: 'cycle', request: requestPage(CYCLE, part, null), calledBy: body })),
  ];
}

/** Ends an interval at a long gap. A time that is alone is wrong, because a sleep has two: it is ignored if there are others. */
function joinTimes(times: readonly number[]): FetchInterval[] {
  const intervals: FetchInterval[] = [];
  for (const ms of times.toSorted((one, other) => one - other)) {
    const latest = intervals.at(-1);
    if (latest === undefined || ms - latest.to > CYCLES_MS) intervals.push({ from: ms, to: ms });
    else intervals.splice(-1, 1, { from: latest.from, to: ms });
  }
  const joined = intervals.filter(({ from, to }) => to > from);
  return joined.length > 0 ? joined : intervals.slice(0, 1);
}

function cutInterval({ from, to }: FetchInterval, lengthMs: number): FetchInterval[] {
  const count = Math.max(1, Math.ceil((to - from) / lengthMs));
  return Array.from({ length: count }, (_, index) => {
    return { from: from + index * lengthMs, to: Math.min(to, from + (index + 1) * lengthMs) };
  });
}
