// All that is kept of a person, as the API would answer it in Form 1, month by month and written while it is read.
import { formatInstant } from '../../domain/calendar.ts';
import { createZone } from '../../domain/day.ts';
import { METRICS } from '../../domain/metrics/index.ts';
import { dateOf, listMonths, type MonthNumber, monthOf } from '../../domain/month-sheets/index.ts';
import { PreparedJson } from '../../platform/http/prepared-json.ts';
import { dialectOf, type RequestContext, type Route } from '../../platform/http/route.ts';
import type { Services } from '../../platform/services.ts';
import { dailyRoutes } from '../daily/index.ts';
import { listMonths as listMonthsWithDays } from '../days/index.ts';
import { listDevices, presentDevice } from '../devices/index.ts';
import type { Share } from '../memberships/index.ts';
import { listSampleSpans } from '../samples/index.ts';
import { scoreRoutes } from '../scores/index.ts';
import { listSessionDates } from '../sessions/index.ts';
import { sleepRoutes } from '../sleep/index.ts';
import type { OwnUser, UserHandle } from '../subjects/index.ts';
import { timeseriesRoutes } from '../timeseries/index.ts';
import { workoutRoutes } from '../workouts/index.ts';

const FORM = 1;
const WORKOUTS_A_PAGE = 100;
const SAMPLED = METRICS.filter(({ samples }) => samples !== 'no')
  .map(({ id }) => id)
  .join();
const ROUTES = [...dailyRoutes, ...sleepRoutes, ...workoutRoutes, ...scoreRoutes, ...timeseriesRoutes];

type Query = Readonly<Record<string, string | number | boolean>>;
type Read = (operationId: string, query: Query) => Promise<unknown>;

export async function* exportData(
  services: Services,
  { handle, user }: OwnUser,
  share: Share,
): AsyncGenerator<string | Buffer> {
  const devices = (await listDevices(services.db, handle, services.clock.now())).map(presentDevice);
  const { timezone, profile, createdAt } = user;
  yield `{"exported_at":${JSON.stringify(formatInstant(services.clock.now()))}`;
  yield `,"user":${JSON.stringify({ id: user.id, timezone, profile, created_at: formatInstant(createdAt) })}`;
  yield `,"sharing":${JSON.stringify(presentSharing(share))}`;
  yield `,"devices":${JSON.stringify(devices)},"months":[`;
  const read = createReader(services, handle);
  for (const [place, month] of (await findMonths(services, handle)).entries()) {
    if (place > 0) yield ',';
    yield* writeMonth(read, month);
  }
  yield ']}\n';
}

function presentSharing({ organization, name, email, joinedAt, removedAt }: Share) {
  const ended_at = removedAt === null ? null : formatInstant(removedAt);
  return { organization, name, email, joined_at: formatInstant(joinedAt), ended_at };
}

async function* writeMonth(read: Read, month: MonthNumber): AsyncGenerator<string | Buffer> {
  const first = dateOf(month, 1);
  const last = new Date(Date.parse(dateOf((month + 1) as MonthNumber, 1)) - 1).toISOString().slice(0, 10);
  const range = { start_date: first, end_date: last };
  yield `{"month":"${first.slice(0, 7)}","daily":`;
  yield* writeBody(await read('readDaily', { ...range, include_sources: true }));
  yield ',"sleep":';
  yield* writeBody(await read('listSleep', { ...range, include_sources: true }));
  yield ',"workouts":';
  yield JSON.stringify({ data: await readAllWorkouts(read, range) });
  yield ',"scores":';
  yield* writeBody(await read('readScoreHistory', range));
  yield ',"samples":';
  yield* writeBody(await read('readTimeseries', { ...range, metrics: SAMPLED, include_sources: true }));
  yield '}';
}

async function readAllWorkouts(read: Read, range: Query): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let page = 1, total = 1; found.length < total; page += 1) {
    const query = { ...range, include_sources: true, page, per_page: WORKOUTS_A_PAGE };
    const { data, meta } = (await read('listWorkouts', query)) as { data: unknown[]; meta: { total: number } };
    found.push(...data);
    total = data.length === 0 ? 0 : meta.total;
  }
  return found;
}

/** The API's own operations, for somebody whom no credential of the API stands for. */
function createReader(services: Services, handle: UserHandle): Read {
  const context = {
    services,
    caller: { tenant: handle.tenant, opened: handle },
    form: FORM,
    requestId: 'export',
    log: services.log,
    revalidate: () => undefined,
  } as unknown as RequestContext;
  return (operationId, query) =>
    services.shares.large_read.run(handle.userId, async () => {
      const { parse, present } = dialectOf(findRoute(operationId), FORM);
      const input = parse({ params: { user_id: handle.userId }, query, body: null, headers: {} });
      return present(await findRoute(operationId).handle(context, input)).body;
    });
}

function findRoute(operationId: string): Route {
  const route = ROUTES.find((one) => one.operationId === operationId);
  if (!route) throw new Error(`there is no operation ${operationId}`);
  return route;
}

async function* writeBody(body: unknown): AsyncGenerator<string | Buffer> {
  if (!(body instanceof PreparedJson)) {
    yield JSON.stringify(body);
    return;
  }
  const { content } = body;
  if (typeof content === 'string' || Buffer.isBuffer(content)) yield content;
  else for await (const piece of content) yield Buffer.from(piece); // its bytes are the writer's again afterwards
}

/** Every month in which something was measured. */
async function findMonths({ db }: Services, user: UserHandle): Promise<MonthNumber[]> {
  const zone = createZone(user.timezone);
  const { sleep, workouts } = await listSessionDates(db, user);
  const sampled = (await listSampleSpans(db, user)).flatMap(({ fromMs, toMs }) =>
    listMonths(zone.dayAt(fromMs).date, zone.dayAt(toMs).date),
  );
  const months = new Set([
    ...(await listMonthsWithDays(db, user)),
    ...[...sleep, ...workouts].map(monthOf),
    ...sampled,
  ]);
  return [...months].sort((a, b) => a - b);
}
