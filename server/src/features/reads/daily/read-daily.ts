// Reads the canonical daily values of a date range from month sheets.
import type { Metric } from '../../../domain/metrics/index.ts';
import { type MonthNumber, monthOf } from '../../../domain/packed/month-sheets/index.ts';
import type { Tenant } from '../../../domain/tenancy.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { createYielder } from '../../../platform/event-loop.ts';
import {
  type DailyMonths,
  openWithDailyMonths,
  readDailyMonths,
  readDailyMonthsWithDevices,
} from '../../store/daily-store/index.ts';
import { listSourceDevices } from '../../store/devices/index.ts';
import { parseUserIdOrThrow, type UserHandle, userNotFound } from '../../tenancy/user-core/index.ts';
import {
  type ConditionalContext,
  expectForm2Range,
  openForRead,
  openForReadWith,
  resolveForm2Range,
} from '../shared/index.ts';
import { collectHrvKinds, collectValues, type MonthPart } from './collect-series.ts';
import { collectSources } from './collect-sources.ts';
import { DayPlan } from './daily-plan.ts';
import type { DailyParameters, DailyQuery, DailyReadModel, DailySeries } from './daily-read-model.ts';
import { digestSeries } from './digest-series.ts';
import { readScoreSeries } from './read-score-series.ts';

/** Most reads cover a month and its neighbours, and share one statement. Longer reads are rare and large, and run alone. */
const MAX_SHARED_MONTHS = 3;

export async function readDaily(context: ConditionalContext, query: DailyQuery): Promise<DailyReadModel> {
  const { services } = context;
  const now = services.clock.now();
  const { user, readSeries } = await openDays(context, query, now);
  const { parameters } = query;
  const days = resolveDays(parameters.days, user, now);
  const scores = await readScoreSeries(services.db, user, days.dates, parameters);
  const canonical = await readSeries(days.parts);
  const series = canonical.map((one) => scores.get(one.metric) ?? one);
  // Includes the dates: without dates in the query, the same request returns other days tomorrow.
  context.revalidate(`${user.dataRevision}.${days.from}.${days.to}.${digestSeries(series)}`);
  return { days, metrics: parameters.metrics, series };
}

/** Short reads share statements and cost little. Reads with sources or of many months run alone. */
export function isLongRead({ parameters }: DailyQuery, now: Date): boolean {
  return parameters.includeSources || expectMonths(parameters.days, now) === null;
}

type OpenedDays = {
  readonly user: UserHandle;
  readSeries(parts: readonly MonthPart[]): Promise<DailySeries[]>;
};

/** A short read gets its months together with the user. */
async function openDays(
  context: ConditionalContext,
  { userId, parameters }: DailyQuery,
  now: Date,
): Promise<OpenedDays> {
  const { db } = context.services;
  const { includeSources, days } = parameters;
  const { metrics } = parameters.metrics;
  const expected = includeSources ? null : expectMonths(days, now);
  const { user, months }: { user: UserHandle; months?: DailyMonths } =
    expected === null
      ? { user: await openForRead(context, userId) }
      : await openForReadWith(context, (tenant) => openMonths(db, tenant, userId, expected));
  if (months !== undefined) return { user, readSeries: async (parts) => toSeries(months, parts, metrics) };
  const readLater = includeSources ? readSeriesWithSources : readSeriesAlone;
  return { user, readSeries: (parts) => readLater(db, user, parts, metrics) };
}

async function openMonths(db: Queryable, tenant: Tenant, userId: string, months: [MonthNumber, MonthNumber]) {
  const opened = await openWithDailyMonths(db, tenant, parseUserIdOrThrow(userId), ...months);
  if (opened === null) throw userNotFound(userId);
  return opened;
}

/** Null: too many months to share a statement, or an invalid range. */
function expectMonths(days: DailyParameters['days'], now: Date): [from: MonthNumber, to: MonthNumber] | null {
  const expected = days instanceof DayPlan ? days : expectForm2Range(days, now);
  if (expected === null) return null;
  const [from, to] = [monthOf(expected.from), monthOf(expected.to)];
  return to - from < MAX_SHARED_MONTHS ? [from, to] : null;
}

function resolveDays(days: DailyParameters['days'], user: UserHandle, now: Date): DayPlan {
  return days instanceof DayPlan ? days : new DayPlan(resolveForm2Range(days, user.timezone, now));
}

async function readSeriesAlone(
  db: Queryable,
  user: UserHandle,
  parts: readonly MonthPart[],
  metrics: readonly Metric[],
): Promise<DailySeries[]> {
  return toSeries(await readDailyMonths(db, user, ...boundsOf(parts)), parts, metrics);
}

function toSeries(months: DailyMonths, parts: readonly MonthPart[], metrics: readonly Metric[]): DailySeries[] {
  const columns = collectValues(months, parts, metrics);
  return metrics.map((metric, index) => {
    const values = columns[index] ?? null;
    return { metric, values, sources: null, hrvKinds: collectHrvKinds(months, parts, metric, values) };
  });
}

async function readSeriesWithSources(
  db: Queryable,
  user: UserHandle,
  parts: readonly MonthPart[],
  metrics: readonly Metric[],
): Promise<DailySeries[]> {
  const [months, listed] = await Promise.all([
    readDailyMonthsWithDevices(db, user, ...boundsOf(parts)),
    listSourceDevices(db, user),
  ]);
  const devices = new Map(listed.map((device) => [device.number, device]));
  const columns = collectValues(months.daily, parts, metrics);
  const yieldIfDue = createYielder();
  const series: DailySeries[] = [];
  for (const [index, metric] of metrics.entries()) {
    await yieldIfDue();
    const values = columns[index] ?? null;
    const hrvKinds = collectHrvKinds(months.daily, parts, metric, values);
    series.push({ metric, values, sources: collectSources(months, devices, parts, metric, values), hrvKinds });
  }
  return series;
}

function boundsOf(parts: readonly MonthPart[]): [from: MonthNumber, to: MonthNumber] {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a range has at least one day');
  return [first.month, last.month];
}
