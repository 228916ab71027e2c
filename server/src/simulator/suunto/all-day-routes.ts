// 24/7 data of at most 28 days per request.
import { addDays } from '../../domain/time/calendar.ts';
import { DAY_MS } from '../../domain/time/durations.ts';
import type { RawReply } from '../../platform/http/raw-route.ts';
import type { AccountDay, AccountView } from '../account-view.ts';
import type { PersonCall, SimulatedRoute } from '../dialect.ts';
import { replyJson } from '../reply-json.ts';
import { listActivity, listSleeps, type WrittenSample, writeTotals } from './all-day.ts';
import { apiRoute, badRequest } from './refuse.ts';

const MAX_DAYS = 28;
const SOURCE = 'suunto-000000000001';

export const allDayRoutes: readonly SimulatedRoute[] = [
  apiRoute('/247samples/sleep', (call) => answerSamples(call, listSleeps)),
  apiRoute('/247samples/activity', (call) => answerSamples(call, listActivity)),
  apiRoute('/247samples/recovery', (call) => answerSamples(call, () => [])),
  apiRoute('/247samples/daily-activity-statistics', answerStatistics),
];

function answerSamples(
  call: PersonCall,
  list: (view: AccountView, day: AccountDay) => readonly WrittenSample[],
): RawReply {
  const { view, query } = call;
  const days = readDays(view, Number(query.get('from') ?? Number.NaN), Number(query.get('to') ?? Number.NaN));
  if (days === null) return badRequest('from and to: at most 28 days');
  const found = days.found.flatMap((day) => list(view, day));
  const within = found.filter(({ startMs }) => startMs >= days.from && startMs <= days.to);
  return replyJson(
    200,
    within.map(({ body }) => body),
  );
}

function answerStatistics({ view, query }: PersonCall): RawReply {
  const [from, to] = ['startdate', 'enddate'].map((name) => Date.parse(`${query.get(name)}Z`));
  const days = readDays(view, from ?? Number.NaN, to ?? Number.NaN);
  if (days === null) return badRequest('startdate and enddate: at most 28 days');
  const totals = days.found.filter(({ date }) => days.isWithin(date)).map((day) => writeTotals(view, day));
  const statistic = (name: string, value: (total: (typeof totals)[number]) => number) => ({
    Name: name,
    Aggregation: 'sum',
    Sources: [{ Name: SOURCE, Samples: totals.map((total) => ({ TimeISO8601: total.time, Value: value(total) })) }],
  });
  return replyJson(200, [
    statistic('stepcount', ({ steps }) => steps),
    statistic('energyconsumption', ({ joules }) => joules),
  ]);
}

/** The day after is included: a night belongs to the day on which it ends. */
function readDays(view: AccountView, from: number, to: number) {
  if (!(to >= from && to - from <= MAX_DAYS * DAY_MS)) return null;
  const { zone } = view.account;
  const [first, last] = [zone.dayAt(from).date, zone.dayAt(to).date];
  const isWithin = (date: string) => date >= first && date <= last;
  return { from, to, isWithin, found: view.days(first, addDays(last, 1)) };
}
