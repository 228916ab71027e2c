// Reads over HTTP beside what they cannot do without, and beside themselves where more is stored: more years of a person, more
// people in the database.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, formatUrl, startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { createLogger } from '../src/platform/log.ts';
import type { PeopleIds } from './reads/fill-database.ts';
import { askMonth, askSamples, askWeekOfSamples, askYear, METRICS_ASKED } from './reads/queries.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import type { ServiceFacts } from './support/bench-service.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { presentTable } from './support/present-table.ts';
import type { Round, RoundLimits } from './support/run-round.ts';
import { median } from './support/statistics.ts';

type Size = {
  readonly users: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
};
type Stocked = { readonly child: BenchChild; readonly facts: ServiceFacts; readonly people: PeopleIds };
type Contestant = {
  readonly name: string;
  /** Who answers: its time on the processor is counted too, which other work on the machine changes far less. */
  readonly child: BenchChild;
  run(limits: { seconds: number }): Promise<Round>;
};
type MeasuredRound = Round & { readonly cpuMs: number };
type Start = (file: string, nodeFlags?: string[]) => Promise<BenchChild>;

const FEW_USERS = 100;
const FULL: Size = { users: 10_000, rounds: 7, seconds: 3, warmUpSeconds: 8 };
const QUICK: Size = { users: 300, rounds: 2, seconds: 1, warmUpSeconds: 2 };
const CROWD = 64; // at a time, where requests are counted
const SOME = 4; // at a time, where each is long
const MAX_CALLS = 200_000;
const MIB = 1024 ** 2;
const PROFILE = '--profile=';

/** `--quick`: half a minute, no verdict. `--profile=FOLDER` writes a CPU profile of the service there. */
export async function benchReads(options: readonly string[]): Promise<string> {
  const folder = options.find((option) => option.startsWith(PROFILE))?.slice(PROFILE.length);
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
    const profiling = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
    const few = await stock(server, start, 'few', FEW_USERS, profiling);
    const many = await stock(server, start, 'many', size.users, []);
    const load = await start('http/load-child.ts');
    const parts = [
      await measureDaily(start, load, few, many, size),
      await measureYears(load, few, many, size),
      await measureTimeseries(start, load, few, many, size),
      await measureMemory(server, start, load, few, size),
    ];
    const conditions = `${size.rounds} rounds of ${size.seconds} s in turn, medians of the rounds' ratios; ${FEW_USERS} and ${size.users.toLocaleString('en')} users × 31 days in two databases of one server, a service each; the load is a process of its own`;
    return [`${describeMachine()}, PostgreSQL ${server.serverVersion}`, conditions, '', ...parts].join('\n');
  } finally {
    for (const child of children.reverse()) await child.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function stock(
  server: EmbeddedPostgres,
  start: Start,
  database: string,
  users: number,
  nodeFlags: string[],
): Promise<Stocked> {
  const client = new pg.Client(server.connection);
  await client.connect();
  await client.query(`create database ${database}`);
  await client.end();
  const child = await start('reads/service-child.ts', nodeFlags);
  const facts = await child.ask<ServiceFacts>('start', { databaseUrl: urlOf(server, database) });
  return { child, facts, people: await child.ask<PeopleIds>('fill', { users }) };
}

function urlOf(server: EmbeddedPostgres, database: string): string {
  return formatUrl({ ...server.connection, database });
}

function reading(
  load: BenchChild,
  { facts }: Pick<Stocked, 'facts'>,
  ask: (userId: string) => string,
  userIds: readonly string[],
  callers: number,
) {
  const paths = userIds.map(ask);
  return ({ seconds }: { seconds: number }) =>
    load.ask<Round>('run', { callers, seconds, maxCalls: MAX_CALLS, url: facts.url, key: facts.key, paths });
}

async function measureDaily(start: Start, load: BenchChild, few: Stocked, many: Stocked, size: Size): Promise<string> {
  const select = await start('http/point-select-child.ts');
  await select.ask('start', { ...few.facts, userIds: few.people.ordinary });
  const limits: Omit<RoundLimits, 'seconds'> = { callers: CROWD, maxCalls: MAX_CALLS };
  const ask = (stocked: Stocked) => reading(load, stocked, askMonth, stocked.people.ordinary, CROWD);
  const askFull = reading(load, few, askMonth, few.people.withOneYear, CROWD);
  const results = await measureInTurn(
    [
      { name: `${FEW_USERS} users`, child: few.child, run: ask(few) },
      { name: `${size.users.toLocaleString('en')} users`, child: many.child, run: ask(many) },
      { name: 'users with every metric', child: few.child, run: askFull },
      {
        name: '(a) bare prepared point select',
        child: select,
        run: ({ seconds }) => select.ask<Round>('run', { ...limits, seconds }),
      },
    ],
    size,
  );
  const title = `daily, Form 2, 30 days × ${METRICS_ASKED} metrics, ${CROWD} at a time (aims: 0.5 of (a); 0.9 of few)`;
  return presentRates(title, results, 'of (a)');
}

async function measureYears(load: BenchChild, few: Stocked, many: Stocked, size: Size): Promise<string> {
  const { withOneYear, withTenYears } = few.people;
  const long = (stocked: Stocked, userIds: readonly string[]) => reading(load, stocked, askYear, userIds, 1);
  const short = (userIds: readonly string[]) => reading(load, few, askMonth, userIds, 1);
  const year = await measureInTurn(
    [
      { name: '366 days × all metrics, 1 year stored', child: few.child, run: long(few, withOneYear) },
      { name: '366 days × all metrics, 10 years stored', child: few.child, run: long(few, withTenYears) },
      {
        name: `the same beside ${size.users.toLocaleString('en')} users`,
        child: many.child,
        run: long(many, many.people.withOneYear),
      },
      { name: `30 days × ${METRICS_ASKED} metrics, 1 year stored`, child: few.child, run: short(withOneYear) },
      { name: `30 days × ${METRICS_ASKED} metrics, 10 years stored`, child: few.child, run: short(withTenYears) },
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
  few: Stocked,
  many: Stocked,
  size: Size,
): Promise<string> {
  const stringify = await start('reads/stringify-child.ts');
  const url = `${few.facts.url}${askWeekOfSamples(few.people.ordinary[0] ?? '')}`;
  const samples = await stringify.ask<number>('start', { url, key: few.facts.key });
  const ask = (stocked: Stocked) => reading(load, stocked, askWeekOfSamples, stocked.people.ordinary, SOME);
  const results = await measureInTurn(
    [
      { name: `${FEW_USERS} users`, child: few.child, run: ask(few) },
      { name: `${size.users.toLocaleString('en')} users`, child: many.child, run: ask(many) },
      {
        name: '(a) JSON.stringify of the same array',
        child: stringify,
        run: ({ seconds }) => stringify.ask<Round>('run', { callers: 1, seconds, maxCalls: MAX_CALLS }),
      },
    ],
    size,
  );
  const title = `timeseries, 7 days at 10 s (${samples.toLocaleString('en')} samples), ${SOME} at a time (aims: 0.5 of (a); 0.9 of few)`;
  return presentRates(title, results, 'of (a)');
}

/** In a process that has done nothing else yet: what was taken once is not given back. */
async function measureMemory(
  server: EmbeddedPostgres,
  start: Start,
  load: BenchChild,
  few: Stocked,
  size: Size,
): Promise<string> {
  const child = await start('reads/service-child.ts');
  const { url } = await child.ask<ServiceFacts>('start', { databaseUrl: urlOf(server, 'few') });
  const facts = { ...few.facts, url };
  await child.ask('watchMemory');
  const rows: string[][] = [];
  for (const [name, from, to] of [
    ['1 day', '2025-01-10', '2025-01-10'],
    ['31 days', '2025-01-01', '2025-01-31'],
  ] as const) {
    const ask = (userId: string) => askSamples(userId, from, to);
    for (const callers of [1, SOME]) {
      const { calls } = await reading(
        load,
        { facts },
        ask,
        few.people.ordinary,
        callers,
      )({ seconds: size.seconds * 2 });
      const peak = await child.ask<number>('takePeakBytes');
      rows.push([`${name}, ${callers} at a time`, String(calls), (peak / MIB).toFixed(0)]);
    }
  }
  const title = 'timeseries at 10 s, memory of a fresh service process at its peak';
  return [title, '', presentTable(['', 'calls', 'RSS MiB'], rows), ''].join('\n');
}

type Measured = { readonly name: string; readonly rounds: readonly MeasuredRound[] };

/** Round by round, so that whatever else the machine does meets all of them. */
async function measureInTurn(contestants: readonly Contestant[], size: Size): Promise<Measured[]> {
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

/** The last is the limit of the others, the first the one that is to be compared with. */
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
