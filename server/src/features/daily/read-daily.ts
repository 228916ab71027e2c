// The chosen values of some days, from the months they lie in.
import type { LocalDate } from '../../domain/calendar.ts';
import { listDays, type MonthNumber } from '../../domain/month-sheets/index.ts';
import type { Queryable } from '../../platform/db/database.ts';
import { readDailyMonths, readDailyMonthsWithDevices } from '../days/index.ts';
import { listSourceDevices } from '../devices/index.ts';
import { type DateRange, openForReading, type ReadingContext, resolveForm2Range } from '../reading/index.ts';
import type { UserHandle } from '../subjects/index.ts';
import { collectValues, type MonthPart, splitByMonth } from './collect-series.ts';
import { collectSources } from './collect-sources.ts';
import type { DailyQuestion, DailyReading, DailySeries } from './daily-reading.ts';
import { readScoreSeries } from './read-score-series.ts';

type Context = ReadingContext & { revalidate(version: string): void };

export async function readDaily(context: Context, question: DailyQuestion): Promise<DailyReading> {
  const { services } = context;
  const user = await openForReading(context, question.userId);
  const range = resolveRange(question.range, user, services.clock.now());
  // The days too: without dates in the query, tomorrow's answer to the same call is another one.
  context.revalidate(`${user.dataRevision} ${range.from} ${range.to}`);
  const { dates, parts } = planDays(range);
  const readSeries = question.includeSources ? readSeriesWithSources : readSeriesAlone;
  const [chosen, scores] = await Promise.all([
    readSeries(services.db, user, parts, question),
    readScoreSeries(services.db, user, dates, question),
  ]);
  const series = scores.size === 0 ? chosen : chosen.map((one) => scores.get(one.metric) ?? one);
  return { dates, unitSystem: question.unitSystem, series };
}

type DayPlan = { readonly dates: readonly LocalDate[]; readonly parts: readonly MonthPart[] };

/** Most calls of a day ask for the same days, whoever they are about. */
const knownPlans = new Map<string, DayPlan>();
const MAX_KNOWN_PLANS = 500;

function planDays({ from, to }: DateRange): DayPlan {
  const key = `${from} ${to}`;
  const known = knownPlans.get(key);
  if (known !== undefined) return known;
  const dates = listDays(from, to);
  const plan = { dates, parts: splitByMonth(dates) };
  if (knownPlans.size >= MAX_KNOWN_PLANS) knownPlans.clear();
  knownPlans.set(key, plan);
  return plan;
}

function resolveRange(range: DailyQuestion['range'], user: UserHandle, now: Date): DateRange {
  return 'from' in range ? range : resolveForm2Range(range, user.timezone, now);
}

async function readSeriesAlone(
  db: Queryable,
  user: UserHandle,
  parts: readonly MonthPart[],
  { metrics }: DailyQuestion,
): Promise<DailySeries[]> {
  const months = await readDailyMonths(db, user, ...boundsOf(parts));
  const columns = collectValues(months, parts, metrics);
  return metrics.map((metric, index) => ({ metric, values: columns[index] ?? null, sources: null }));
}

async function readSeriesWithSources(
  db: Queryable,
  user: UserHandle,
  parts: readonly MonthPart[],
  { metrics }: DailyQuestion,
): Promise<DailySeries[]> {
  const [months, listed] = await Promise.all([
    readDailyMonthsWithDevices(db, user, ...boundsOf(parts)),
    listSourceDevices(db, user),
  ]);
  const devices = new Map(listed.map((device) => [device.number, device]));
  const columns = collectValues(months.daily, parts, metrics);
  return metrics.map((metric, index) => {
    const values = columns[index] ?? null;
    return { metric, values, sources: collectSources(months, devices, parts, metric, values) };
  });
}

function boundsOf(parts: readonly MonthPart[]): [from: MonthNumber, to: MonthNumber] {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a range has at least one day');
  return [first.month, last.month];
}
