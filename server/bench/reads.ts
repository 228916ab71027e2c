// Benchmarks reads over HTTP against lower bounds, and against the same reads with more stored data: more years per user and
// more users in the database.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, formatUrl, startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { createLogger } from '../src/platform/log.ts';
import type { UserIds } from './reads/fill-database.ts';
import { METRIC_COUNT, monthPath, samplesPath, weekOfSamplesPath, yearPath } from './reads/queries.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import type { ServiceFacts } from './support/bench-service.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { presentTable } from './support/present-table.ts';
import { readProfileFlags } from './support/read-option.ts';
import type { Round, RoundLimits } from './support/run-round.ts';
import { median } from './support/statistics.ts';

type Size = {
  readonly users: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
};
type FilledService = { readonly child: BenchChild; readonly facts: ServiceFacts; readonly users: UserIds };
type Contestant = {
  readonly name: string;
  /** The process whose CPU time is counted too, because other load on the machine affects it far less than latency. */
  readonly child: BenchChild;
  run(limits: { seconds: number }): Promise<Round>;
};
type MeasuredRound = Round & { readonly cpuMs: number };
type Start = (file: string, nodeFlags?: string[]) => Promise<BenchChild>;

const FEW_USERS = 100;
const FULL: Size = { users: 10_000, rounds: 7, seconds: 3, warmUpSeconds: 8 };
const QUICK: Size = { users: 300, rounds: 2, seconds: 1, warmUpSeconds: 2 };
const THROUGHPUT_CALLERS = 64; // in parallel, where throughput is measured
const LONG_READ_CALLERS = 4; // in parallel, where each request takes long
const MAX_CALLS = 200_000;
const MIB = 1024 ** 2;

/** `--quick` takes half a minute and prints no verdict. `--profile=FOLDER` writes a CPU profile of the service there. */
export async function benchReads(options: readonly string[]): Promise<string> {
  const size = options.includes('--quick') ? QUICK : FULL;
  const dataDir = await makeDataFolder();
  const log = createLogger('silent');
  const server = await startEmbeddedPostgres({ dataDir, print: () => undefined, log });
  const children: BenchChild[] = [];
  const start: Start = async (file, nodeFlags = []) => {
    const child = await startBenchChild(join(import.meta.dirname, file), { nodeFlags });
    children.push(child);
    return child;
  };
  try {
    const profiling = readProfileFlags(options);
    const few = await fill(server, start, 'few', FEW_USERS, profiling);
    const many = await fill(server, start, 'many', size.users, []);
    const load = await start('http/load-child.ts');
    const parts = [
      await measureDaily(start, load, few, many, size),
      await measureYears(load, few, many, size),
      await measureTimeseries(start, load, few, many, size),
      await measureMemory(server, start, load, few, size),
    ];
    const conditions = `${size.rounds} rounds of ${size.seconds} s, alternating, medians of the rounds' ratios; ${FEW_USERS} and ${size.users.toLocaleString('en')} users × 31 days in two databases of one server, with one service process each; the load runs in a separate process`;
    return [`${describeMachine()}, PostgreSQL ${server.serverVersion}`, conditions, '', ...parts].join('\n');
  } finally {
    for (const child of children.reverse()) await child.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function fill(
  server: EmbeddedPostgres,
  start: Start,
  database: string,
  users: number,
  nodeFlags: string[],
): Promise<FilledService> {
  const client = new pg.Client(server.connection);
  await client.connect();
  await client.query(`create database ${database}`);
  await client.end();
  const child = await start('reads/service-child.ts', nodeFlags);
  const facts = await child.call<ServiceFacts>('start', { databaseUrl: urlOf(server, database) });
  return { child, facts, users: await child.call<UserIds>('fill', { users }) };
}

function urlOf(server: EmbeddedPostgres, database: string): string {
  return formatUrl({ ...server.connection, database });
}

function readLoad(
  load: BenchChild,
  { facts }: Pick<FilledService, 'facts'>,
  readPath: (userId: string) => string,
  userIds: readonly string[],
  callers: number,
) {
  const paths = userIds.map(readPath);
  return ({ seconds }: { seconds: number }) =>
    load.call<Round>('run', { callers, seconds, maxCalls: MAX_CALLS, url: facts.url, key: facts.key, paths });
}

async function measureDaily(
  start: Start,
  load: BenchChild,
  few: FilledService,
  many: FilledService,
  size: Size,
): Promise<string> {
  const select = await start('http/point-select-child.ts');
  await select.call('start', { ...few.facts, userIds: few.users.ordinary });
  const limits: Omit<RoundLimits, 'seconds'> = { callers: THROUGHPUT_CALLERS, maxCalls: MAX_CALLS };
  const readPath = (filled: FilledService) =>
    readLoad(load, filled, monthPath, filled.users.ordinary, THROUGHPUT_CALLERS);
  const readFull = readLoad(load, few, monthPath, few.users.withOneYear, THROUGHPUT_CALLERS);
  const results = await measureAlternating(
    [
      { name: `${FEW_USERS} users`, child: few.child, run: readPath(few) },
      { name: `${size.users.toLocaleString('en')} users`, child: many.child, run: readPath(many) },
      { name: 'users with every metric', child: few.child, run: readFull },
      {
        name: '(a) bare prepared point select',
        child: select,
        run: ({ seconds }) => select.call<Round>('run', { ...limits, seconds }),
      },
    ],
    size,
  );
  const title = `daily, Form 2, 30 days × ${METRIC_COUNT} metrics, ${THROUGHPUT_CALLERS} at a time (aims: 0.5 of (a); 0.9 of few)`;
  return presentRates(title, results, 'of (a)');
}

async function measureYears(load: BenchChild, few: FilledService, many: FilledService, size: Size): Promise<string> {
  const { withOneYear, withTenYears } = few.users;
  const long = (filled: FilledService, userIds: readonly string[]) => readLoad(load, filled, yearPath, userIds, 1);
  const short = (userIds: readonly string[]) => readLoad(load, few, monthPath, userIds, 1);
  const year = await measureAlternating(
    [
      { name: '366 days × all metrics, 1 year stored', child: few.child, run: long(few, withOneYear) },
      { name: '366 days × all metrics, 10 years stored', child: few.child, run: long(few, withTenYears) },
      {
        name: `the same with ${size.users.toLocaleString('en')} users`,
        child: many.child,
        run: long(many, many.users.withOneYear),
      },
      { name: `30 days × ${METRIC_COUNT} metrics, 1 year stored`, child: few.child, run: short(withOneYear) },
      { name: `30 days × ${METRIC_COUNT} metrics, 10 years stored`, child: few.child, run: short(withTenYears) },
    ],
    size,
  );
  const timeOf = (index: number, base: number) =>
    median((year[index]?.rounds ?? []).map(({ p50Ms }, round) => p50Ms / (year[base]?.rounds[round]?.p50Ms ?? 0)));
  const bases = [0, 0, 0, 3, 3];
  const rows = year.map(({ name, rounds }, index) => [
    name,
    median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(2),
    timeOf(index, bases[index] ?? 0).toFixed(2),
  ]);
  const title = 'daily, Form 2, one at a time, as the client sees it (aims: 366 days in 10 ms; years and users: 1.1)';
  return [title, '', presentTable(['', 'p50 ms', 'p99 ms', 'of 1 year'], rows), ''].join('\n');
}

async function measureTimeseries(
  start: Start,
  load: BenchChild,
  few: FilledService,
  many: FilledService,
  size: Size,
): Promise<string> {
  const stringify = await start('reads/stringify-child.ts');
  const url = `${few.facts.url}${weekOfSamplesPath(few.users.ordinary[0] ?? '')}`;
  const samples = await stringify.call<number>('start', { url, key: few.facts.key });
  const readPath = (filled: FilledService) =>
    readLoad(load, filled, weekOfSamplesPath, filled.users.ordinary, LONG_READ_CALLERS);
  const results = await measureAlternating(
    [
      { name: `${FEW_USERS} users`, child: few.child, run: readPath(few) },
      { name: `${size.users.toLocaleString('en')} users`, child: many.child, run: readPath(many) },
      {
        name: '(a) JSON.stringify of the same array',
        child: stringify,
        run: ({ seconds }) => stringify.call<Round>('run', { callers: 1, seconds, maxCalls: MAX_CALLS }),
      },
    ],
    size,
  );
  const title = `timeseries, 7 days at 10 s (${samples.toLocaleString('en')} samples), ${LONG_READ_CALLERS} at a time (aims: 0.5 of (a); 0.9 of few)`;
  return presentRates(title, results, 'of (a)');
}

/** Uses a fresh process, because memory once allocated is not returned. */
async function measureMemory(
  server: EmbeddedPostgres,
  start: Start,
  load: BenchChild,
  few: FilledService,
  size: Size,
): Promise<string> {
  const child = await start('reads/service-child.ts');
  const { url } = await child.call<ServiceFacts>('start', { databaseUrl: urlOf(server, 'few') });
  const facts = { ...few.facts, url };
  await child.call('watchMemory');
  const rows: string[][] = [];
  for (const [name, from, to] of [
    ['1 day', '2025-01-10', '2025-01-10'],
    ['31 days', '2025-01-01', '2025-01-31'],
  ] as const) {
    const readPath = (userId: string) => samplesPath(userId, from, to);
    for (const callers of [1, LONG_READ_CALLERS]) {
      const { calls } = await readLoad(
        load,
        { facts },
        readPath,
        few.users.ordinary,
        callers,
      )({ seconds: size.seconds * 2 });
      const peak = await child.call<number>('takePeakBytes');
      rows.push([`${name}, ${callers} at a time`, String(calls), (peak / MIB).toFixed(0)]);
    }
  }
  const title = 'timeseries at 10 s, memory of a fresh service process at its peak';
  return [title, '', presentTable(['', 'calls', 'RSS MiB'], rows), ''].join('\n');
}

type Measured = { readonly name: string; readonly rounds: readonly MeasuredRound[] };

/** Alternates the contestants round by round, so that other load on the machine affects all of them. */
async function measureAlternating(contestants: readonly Contestant[], size: Size): Promise<Measured[]> {
  for (const { run } of contestants) await run({ seconds: size.warmUpSeconds });
  const results = contestants.map(({ name }) => ({ name, rounds: [] as MeasuredRound[] }));
  for (let round = 0; round < size.rounds; round += 1) {
    for (const [index, { child, run }] of contestants.entries()) {
      const before = await child.readCpuSeconds();
      const measured = await run({ seconds: size.seconds });
      const cpuMs = (((await child.readCpuSeconds()) - before) * 1000) / measured.calls;
      results[index]?.rounds.push({ ...measured, cpuMs });
    }
  }
  return results;
}

/** The last contestant is the lower bound, the first is the one to compare with it. */
function presentRates(title: string, results: readonly Measured[], ofLimit: string): string {
  const ratio = (index: number, base: number) =>
    median(
      (results[index]?.rounds ?? []).map(
        ({ perSecond }, round) => perSecond / (results[base]?.rounds[round]?.perSecond ?? 0),
      ),
    ).toFixed(2);
  const rows = results.map(({ name, rounds }, index) => [
    name,
    median(rounds.map(({ perSecond }) => perSecond)).toLocaleString('en', { maximumFractionDigits: 1 }),
    ratio(index, results.length - 1),
    ratio(index, 0),
    median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(1),
    median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(1),
    median(rounds.map(({ cpuMs }) => cpuMs)).toFixed(2),
  ]);
  const head = ['', 'per second', ofLimit, 'of few', 'p50 ms', 'p99 ms', 'CPU ms/call'];
  return [title, '', presentTable(head, rows), ''].join('\n');
}
