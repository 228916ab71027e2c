// Data routes: points by source, merged points, and daily rollups.

import { addDays, type LocalDate, parseLocalDate } from '../../domain/time/calendar.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { presentPoint, splitDate } from './data-point.ts';
import { DATA_TYPES, type DataType } from './data-types.ts';
import { parseFilter } from './filter.ts';
import { SCOPES } from './oauth.ts';
import { replyPage } from './paging.ts';
import { refuseArgument } from './refuse.ts';

export const dataRoutes: readonly SimulatedRoute[] = DATA_TYPES.flatMap((type) => {
  const path = `/v4/users/me/dataTypes/${type.type}/dataPoints`;
  const route = (method: 'GET' | 'POST', verb: string, answer: (call: PersonCall) => RawReply): SimulatedRoute => {
    return { method, path: `${path}${verb}`, access: 'person', scope: SCOPES[type.scope], answer };
  };
  return [
    route('GET', '', (call) => answerPoints(type, call, false)),
    route('GET', ':reconcile', (call) => answerPoints(type, call, true)),
    route('POST', ':dailyRollUp', (call) => answerDays(type, call)),
  ];
});

function answerPoints(type: DataType, { view, query }: PersonCall, isMerged: boolean): RawReply {
  const { points } = type;
  if (points === undefined) return refuseArgument(`${type.type} is only rolled up.`);
  const text = query.get('filter') ?? '';
  const filter = parseFilter(text, type, view.account.zone);
  if (typeof filter === 'string') return refuseArgument(filter);
  const found = view
    .days(filter.from ?? view.firstDate, filter.to ?? view.today)
    .flatMap((day) => points(view, day))
    .filter(filter.matches);
  const page = {
    query: [type.type, String(isMerged), text],
    token: query.get('pageToken') ?? '',
    size: Number(query.get('pageSize') ?? 0),
    isSession: type.shape === 'sleep' || type.shape === 'exercise',
  };
  return replyPage('dataPoints', found, page, (point) => presentPoint(view, type, point, isMerged));
}

/** `end` is excluded. */
function answerDays({ type, member, rollUp, maxRollUpDays = 0 }: DataType, { view, json }: PersonCall): RawReply {
  if (rollUp === undefined) return refuseArgument(`${type} is not rolled up.`);
  const range = asPart(json?.range);
  const [from, end] = [readDate(range.start), readDate(range.end)];
  if (from === null || end === null || from >= end) return refuseArgument('range needs start and end dates.');
  if ((Date.parse(end) - Date.parse(from)) / DAY_MS > maxRollUpDays)
    return refuseArgument(`The range is longer than ${maxRollUpDays} days.`);
  if ((json?.windowSizeDays ?? 1) !== 1) return refuseArgument('Only windows of a day are simulated.');
  const days = view.days(from, addDays(end, -1)).flatMap((day) => {
    const sums = rollUp(day, view);
    return sums === null ? [] : [{ date: day.date, sums }];
  });
  const page = {
    query: [type, 'days', from, end],
    token: typeof json?.pageToken === 'string' ? json.pageToken : '',
    size: Number(json?.pageSize ?? 0),
    isSession: false,
  };
  return replyPage('rollupDataPoints', days, page, ({ date, sums }) => ({
    civilStartTime: { date: splitDate(date) },
    civilEndTime: { date: splitDate(addDays(date, 1)) },
    [member]: sums,
  }));
}

function readDate(civil: unknown): LocalDate | null {
  const { year, month, day } = asPart(asPart(civil).date);
  const two = (value: unknown) => String(value).padStart(2, '0');
  return parseLocalDate(`${year}-${two(month)}-${two(day)}`);
}

function asPart(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
