// Records of a time window, and the range of all records. Dates are UTC without a zone.
import { DAY_MS, HOUR_MS } from '../../domain/time/durations.ts';
import type { AccountView } from '../account-view.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { nameUuid } from '../names.ts';
import { replyJson } from '../reply-json.ts';
import { listEvents } from './events.ts';
import { listReadings } from './readings.ts';
import { type DexcomRecord, writeTimes } from './record.ts';
import { refuseRange } from './refuse.ts';

const BASE = '/v3/users/self';
const VERSION = '3.0';
const MAX_RANGE_MS = 30 * DAY_MS;
/** In the United States; elsewhere it is three hours. */
const DELAY_MS = HOUR_MS;
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

type List = (view: AccountView, from: number, to: number) => DexcomRecord[];

export const recordRoutes: readonly SimulatedRoute[] = [
  recordsRoute('egvs', 'egv', listReadings),
  recordsRoute('events', 'event', listEvents),
  { method: 'GET', path: `${BASE}/dataRange`, access: 'person', scope: null, answer: answerRange },
];

function recordsRoute(path: string, recordType: string, list: List): SimulatedRoute {
  return {
    method: 'GET',
    path: `${BASE}/${path}`,
    access: 'person',
    scope: null,
    answer({ view, query }) {
      const [from, to] = [readDate(query.get('startDate')), readDate(query.get('endDate'))];
      if (from === null || to === null) return refuseRange('startDate and endDate must be dates without a zone.');
      if (from > to) return refuseRange('startDate is after endDate.');
      if (to - from > MAX_RANGE_MS) return refuseRange('The time range is longer than 30 days.');
      const records = list(view, from, Math.min(to, knownUntil(view))).toReversed(); // the newest first
      return replyJson(200, {
        recordType,
        recordVersion: VERSION,
        userId: userIdOf(view),
        records: records.map(({ ms: _ms, ...record }) => record),
      });
    },
  };
}

function answerRange({ view }: PersonCall) {
  const first = view.account.zone.dayOf(view.firstDate).start;
  const rangeOf = (list: List) => {
    const until = knownUntil(view);
    const start = list(view, first, first + DAY_MS)[0];
    const end = list(view, until - DAY_MS, until).at(-1);
    return start === undefined || end === undefined
      ? null
      : { start: writeTimes(view, start.ms), end: writeTimes(view, end.ms) };
  };
  return replyJson(200, {
    recordType: 'dataRange',
    recordVersion: VERSION,
    userId: userIdOf(view),
    calibrations: null,
    egvs: rangeOf(listReadings),
    events: rangeOf(listEvents),
  });
}

function userIdOf({ account }: AccountView): string {
  return nameUuid('dexcom', account.seed, 'user');
}

function knownUntil({ nowMs }: AccountView): number {
  return nowMs - DELAY_MS;
}

function readDate(text: string | null): number | null {
  const ms = text !== null && DATE.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
