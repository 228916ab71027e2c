// How the cost of each operation grows with the number of users and with the length of their history: the same operations at
// every size, and the exponent of each curve.
import { rm } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { MINUTE_MS, SECOND_MS } from '../src/domain/time/durations.ts';
import { formatUrl, startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { createLogger } from '../src/platform/log.ts';
import { createTemplate } from './growth/create-template.ts';
import { fitExponent } from './growth/exponent.ts';
import { AGE_FEED, addUsers, LENGTHEN, prepareCopies } from './growth/fill-users.ts';
import { OF_A_USER, OF_ALL_USERS, type Subject, tidy } from './growth/operations.ts';
import { type Cost, listCostly, measureCost } from './growth/statement-costs.ts';
import { type BenchService, POLICIES, startBenchService } from './support/bench-service.ts';
import { openSessions } from './support/create-users.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { presentTable } from './support/present-table.ts';
import { readOption } from './support/read-option.ts';

type Size = {
  readonly users: readonly number[];
  readonly days: readonly number[];
  readonly calls: number;
  readonly idleSeconds: number;
};
/** By operation, one cost per size. */
type Curves = Map<string, Cost[]>;

const FULL: Size = { users: [100, 1_000, 10_000, 100_000], days: [30, 365, 3_650], calls: 60, idleSeconds: 30 };
const QUICK: Size = { users: [100, 400, 1_600], days: [30, 120, 480], calls: 15, idleSeconds: 5 };
const WARM_UP_CALLS = 6; // the sixth execution of a prepared statement may get another plan
const SETTLE_MS = 5 * SECOND_MS; // until the worker has finished waiting work
const PHONES = 20;
const DATABASE = 'growth';
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  max_wal_size: '4GB',
  'pg_stat_statements.track': 'top',
};

/** `--quick`: 1,600 users and 16 months. `--users=100,100000`: these sizes. `--costly`: also prints the statements that read most. */
export async function benchGrowth(options: readonly string[]): Promise<string> {
  const size = readSize(options);
  const dataDir = await makeDataFolder();
  const log = createLogger('silent');
  const server = await startEmbeddedPostgres({ dataDir, print: () => undefined, log, settings: SETTINGS });
  const own = new pg.Client({ ...server.connection, database: DATABASE });
  let service: BenchService | null = null;
  try {
    const first = new pg.Client(server.connection);
    await first.connect();
    await first.query(`create database ${DATABASE}`);
    await first.end();
    await own.connect();
    await own.query('create extension pg_stat_statements');
    const url = formatUrl({ ...server.connection, database: DATABASE });
    const environment = { TRIBUTARY_ALLOW_PRIVATE_WEBHOOKS: '1' };
    service = await startBenchService(url, environment, POLICIES, 'api');
    const measured = await measureGrowth(own, service, url, size, options.includes('--costly'));
    return [`${describeMachine()}, PostgreSQL ${server.serverVersion}`, '', measured].join('\n');
  } finally {
    await own.end();
    await service?.stop();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function readSize(options: readonly string[]): Size {
  const size = options.includes('--quick') ? QUICK : FULL;
  const users = readOption(options, 'users');
  return users === undefined ? size : { ...size, users: users.split(',').map(Number) };
}

async function measureGrowth(own: pg.Client, service: BenchService, url: string, size: Size, isVerbose: boolean) {
  const filled = await createTemplate(service, own);
  const copies = await prepareCopies(own);
  const [calls, totals, idle, lengths]: Curves[] = [new Map(), new Map(), new Map(), new Map()];
  const bytes: number[] = [];
  const costly: string[] = [];
  let userIds: readonly string[] = [];
  for (const count of size.users) {
    userIds = [...userIds, ...(await addUsers(own, filled, copies, count - userIds.length))];
    process.stderr.write(`${count} users\n`);
    const subject = await openSubject(service, filled.accountId, userIds);
    bytes.push(await readBytes(own));
    await own.query(`update webhooks set due_at = now(), pending_from = now() - interval '1 year'`);
    for (const [name, operation] of Object.entries({ ...OF_A_USER, ...OF_ALL_USERS })) {
      await measureCalls(own, calls as Curves, name, size.calls, (call) => operation(subject, call));
      if (isVerbose && count === size.users.at(-1)) costly.push(name, ...(await listCostly(own, 3)));
    }
    await own.query(AGE_FEED);
    add(totals as Curves, 'tidy, all', await measureCost(own, async () => tidy(subject).then(() => 1)));
    add(idle as Curves, 'worker without work, per minute', await measureIdle(own, url, size));
    if (isVerbose && count === size.users.at(-1)) costly.push('idle', ...(await listCostly(own, 5)));
  }
  for (const [index, days] of size.days.entries()) {
    const group = userIds.slice(index * PHONES, (index + 1) * PHONES);
    for (const text of LENGTHEN) await own.query(text, [group, days]);
    await own.query('vacuum analyze');
    const subject = await openSubject(service, filled.accountId, group);
    for (const [name, operation] of Object.entries(OF_A_USER))
      await measureCalls(own, lengths as Curves, name, size.calls, (call) => operation(subject, call));
  }
  const perUser = size.users.map((count, index) => Math.round((bytes[index] ?? 0) / count / 1_024));
  const stored = fitExponent(size.users.map((x, index) => ({ x, y: bytes[index] ?? 0 })));
  return [
    presentCurves('users, per call', size.users, calls as Curves),
    presentCurves('users, in all', size.users, totals as Curves),
    presentCurves('users, idle', size.users, idle as Curves),
    presentCurves('days of history, per call', size.days, lengths as Curves),
    `database: ${perUser.join(', ')} KiB per user, exponent ${stored.toFixed(2)}`,
    ...costly,
    '',
  ].join('\n\n');
}

async function openSubject(service: BenchService, accountId: string, userIds: readonly string[]): Promise<Subject> {
  const phones = await openSessions(service, userIds.slice(-PHONES));
  return { service, accountId, userIds, phones };
}

async function measureCalls(
  own: pg.Client,
  curves: Curves,
  name: string,
  count: number,
  run: (call: number) => Promise<unknown>,
): Promise<void> {
  for (let call = 0; call < WARM_UP_CALLS; call += 1) await run(call);
  const cost = await measureCost(own, async () => {
    for (let call = 0; call < count; call += 1) await run(WARM_UP_CALLS + call);
    return count;
  });
  add(curves, name, cost);
}

/** A second process of the service with its worker, and nothing to do. */
async function measureIdle(own: pg.Client, url: string, size: Size): Promise<Cost> {
  await own.query(`update webhooks set status = 'disabled', disabled_reason = 'gone'`);
  const worker = await startBenchService(url, {}, POLICIES, 'all');
  try {
    await setTimeout(SETTLE_MS);
    return await measureCost(own, async () => {
      await setTimeout(size.idleSeconds * SECOND_MS);
      return (size.idleSeconds * SECOND_MS) / MINUTE_MS;
    });
  } finally {
    await worker.stop();
    await own.query(`update webhooks set status = 'active', disabled_reason = null`);
  }
}

async function readBytes(own: pg.Client): Promise<number> {
  const { rows } = await own.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes');
  return Number(rows[0]?.bytes);
}

/** Also prints it, as a run takes long. */
function add(curves: Curves, name: string, cost: Cost): void {
  process.stderr.write(`  ${name}: ${cost.blocks.toFixed(0)} blocks, ${cost.ms.toFixed(2)} ms\n`);
  curves.getOrInsertComputed(name, () => []).push(cost);
}

function presentCurves(title: string, sizes: readonly number[], curves: Curves): string {
  const fit = (costs: readonly Cost[], of: (cost: Cost) => number) =>
    fitExponent(sizes.map((x, index) => ({ x, y: of(costs[index] as Cost) }))).toFixed(2);
  const rows = Array.from(curves, ([name, costs]) => [
    name,
    (costs.at(-1)?.statements ?? 0).toFixed(1),
    ...costs.map(({ blocks }) => Math.round(blocks).toLocaleString('en')),
    fit(costs, ({ blocks }) => blocks),
    `${costs[0]?.ms.toFixed(2)} → ${costs.at(-1)?.ms.toFixed(2)}`,
    fit(costs, ({ ms }) => ms),
  ]);
  const sizeNames = sizes.map((count) => `blocks at ${count.toLocaleString('en')}`);
  return presentTable([title, 'statements', ...sizeNames, 'exponent', 'database ms', 'exponent'], rows);
}
