// Exports the canonical layer as the API returns it in Form 1, month by month.

import { METRICS } from '../../../domain/metrics/index.ts';
import { dateOf, listMonths, type MonthNumber, monthOf } from '../../../domain/packed/month-sheets/index.ts';
import { createZone } from '../../../domain/time/day.ts';
import { AppError } from '../../../platform/errors.ts';
import { PreparedJson } from '../../../platform/http/prepared-json.ts';
import { completeQuery } from '../../../platform/http/query-reader.ts';
import { dialectOf, type RequestContext, type Route } from '../../../platform/http/route.ts';
import type { Services } from '../../../platform/services.ts';
import { dailyRoutes } from '../../reads/daily/index.ts';
import type { Pieces } from '../../reads/exports/index.ts';
import { scoreRoutes } from '../../reads/scores/index.ts';
import type { ReadContext } from '../../reads/shared/index.ts';
import { sleepRoutes } from '../../reads/sleep/index.ts';
import { timeseriesRoutes } from '../../reads/timeseries/index.ts';
import { workoutRoutes } from '../../reads/workouts/index.ts';
import { listStoredMonths } from '../../store/daily-store/index.ts';
import { listSampleIntervals } from '../../store/samples/index.ts';
import { listSessionDates } from '../../store/session-store/index.ts';
import type { UserHandle } from '../../tenancy/user-core/index.ts';
import { writeList } from './write-list.ts';

const FORM = 1;
const WORKOUTS_PER_PAGE = 100;
const SAMPLED = METRICS.filter(({ samples }) => samples !== 'no')
  .map(({ id }) => id)
  .join();
const ROUTES = [...dailyRoutes, ...sleepRoutes, ...workoutRoutes, ...scoreRoutes, ...timeseriesRoutes];

type Query = Readonly<Record<string, string | number | boolean>>;
type Read = (operationId: string, query: Query, params?: Readonly<Record<string, string>>) => Promise<unknown>;

/** Of all reads, and of the computations that they share. */
export type ExportServices = ReadContext['services'] & Pick<Services, 'shares'>;

export async function* exportMonths(services: ExportServices, user: UserHandle): AsyncGenerator<Pieces> {
  const read = createReader(services, user);
  for (const month of await findMonths(services, user)) yield writeMonth(read, month);
}

async function* writeMonth(read: Read, month: MonthNumber): Pieces {
  const first = dateOf(month, 1);
  const last = new Date(Date.parse(dateOf((month + 1) as MonthNumber, 1)) - 1).toISOString().slice(0, 10);
  const range = { start_date: first, end_date: last };
  yield `{"month":"${first.slice(0, 7)}","daily":`;
  yield* writeBody(await read('readDaily', { ...range, include_sources: true }));
  yield ',"sleep":';
  yield* writeBody(await read('listSleep', { ...range, include_sources: true }));
  yield ',"workouts":';
  yield* writeList(readAllWorkouts(read, range));
  yield ',"scores":';
  yield* writeBody(await read('readScoreHistory', range));
  yield ',"samples":';
  yield* writeBody(await read('readTimeseries', { ...range, metrics: SAMPLED, include_sources: true }));
  yield '}';
}

/** Adds the detail (zones and trace) to each workout of the list. */
async function* readAllWorkouts(read: Read, range: Query): AsyncGenerator<string> {
  for (let page = 1, left = 1; left > 0; page += 1) {
    const query = { ...range, include_sources: true, page, per_page: WORKOUTS_PER_PAGE };
    const { data, meta } = (await read('listWorkouts', query)) as { data: { id: string }[]; meta: { total: number } };
    for (const workout of data) yield JSON.stringify({ ...workout, detail: await readDetail(read, workout.id) });
    left = data.length === 0 ? 0 : meta.total - page * WORKOUTS_PER_PAGE;
  }
}

/** Null: deleted or consolidated into another workout after the list was read. */
async function readDetail(read: Read, id: string): Promise<unknown> {
  try {
    return await read('getWorkout', {}, { workout_id: id });
  } catch (error) {
    if (error instanceof AppError && error.code === 'workout_not_found') return null;
    throw error;
  }
}

/** Calls the handlers of the API directly, because the person has no API credential. */
function createReader(services: ExportServices, handle: UserHandle): Read {
  const context: ReadContext & Pick<RequestContext, 'revalidate'> = {
    services,
    caller: { tenant: handle.tenant, opened: handle },
    requestId: 'export',
    revalidate: () => undefined,
  };
  return (operationId, query, params = {}) =>
    services.shares.large_read.run(handle.userId, async () => {
      const dialect = dialectOf(findRoute(operationId), FORM);
      const input = dialect.parse({
        params: { user_id: handle.userId, ...params },
        query: completeQuery(dialect, query),
        body: null,
        headers: {},
      });
      return dialect.present(await findRoute(operationId).handle(context as RequestContext, input)).body;
    });
}

function findRoute(operationId: string): Route {
  const route = ROUTES.find((one) => one.operationId === operationId);
  if (!route) throw new Error(`operation ${operationId} not found`);
  return route;
}

async function* writeBody(body: unknown): Pieces {
  if (!(body instanceof PreparedJson)) {
    yield JSON.stringify(body);
    return;
  }
  const { content } = body;
  if (typeof content === 'string' || Buffer.isBuffer(content)) yield content;
  else yield* content;
}

/** Every month with data. */
async function findMonths({ db }: Pick<Services, 'db'>, user: UserHandle): Promise<MonthNumber[]> {
  const zone = createZone(user.timezone);
  const { sleep, workouts } = await listSessionDates(db, user);
  const sampled = (await listSampleIntervals(db, user)).flatMap(({ fromMs, toMs }) =>
    listMonths(zone.dayAt(fromMs).date, zone.dayAt(toMs).date),
  );
  const months = new Set([...(await listStoredMonths(db, user)), ...[...sleep, ...workouts].map(monthOf), ...sampled]);
  return [...months].sort((a, b) => a - b);
}
