// Workouts and days, by dates: at most 30 per request, and none older than three months.
import { addDays, dayNumberOf, type LocalDate, parseLocalDate } from '../../domain/time/calendar.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { AccountDay } from '../account-view.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { replyData, replyResult } from './envelope.ts';
import { hasEnded, openIdOf } from './oauth.ts';
import { listSports, writeDay } from './records.ts';

const MAX_DAYS = 30;
const HISTORY_DAYS = 92;

export const dataRoutes: readonly SimulatedRoute[] = [
  dataRoute('/v2/coros/sport/list', ({ view }, days) => days.flatMap((day) => listSports(view, day))),
  dataRoute('/coros/daily/query', ({ view }, days) => ({ dailyList: days.map((day) => writeDay(view, day)) })),
];

function dataRoute(path: string, write: (call: PersonCall, days: readonly AccountDay[]) => unknown): SimulatedRoute {
  return { method: 'GET', path, access: 'person', scope: null, answer: (call) => answer(call, write) };
}

function answer(call: PersonCall, write: (call: PersonCall, days: readonly AccountDay[]) => unknown): RawReply {
  const { view, query } = call;
  if (hasEnded(call)) return replyResult('5006', 'token is invalid');
  if (query.get('openId') !== openIdOf(view.account)) return replyResult('5010', 'openId is wrong');
  const [from, to] = [readDate(query.get('startDate')), readDate(query.get('endDate'))];
  if (from === null || to === null || from > to) return replyResult('1002', 'dates are invalid');
  if (dayNumberOf(to) - dayNumberOf(from) >= MAX_DAYS) return replyResult('1002', 'more than 30 days');
  if (from < addDays(view.today, -HISTORY_DAYS)) return replyResult('1002', 'older than three months');
  return replyData(write(call, view.days(from, to)));
}

function readDate(text: string | null): LocalDate | null {
  return parseLocalDate((text ?? '').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'));
}
