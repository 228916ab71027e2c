// Benchmarks what the request log and the usage counters, or the audit trail, cost reads: one service process answers the same
// calls with and without them, round by round.
import { join } from 'node:path';
import { METRIC_COUNT, monthPath } from './reads/queries.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import type { ServiceFacts } from './support/bench-service.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';
import type { Round } from './support/run-round.ts';
import { median } from './support/statistics.ts';

type Size = { readonly rounds: number; readonly seconds: number; readonly warmUpSeconds: number };
type Measured = { readonly perSecond: number; readonly cpuMs: number; readonly databaseMs: number };
type Pair = { readonly on: Measured; readonly off: Measured };

const FULL: Size = { rounds: 15, seconds: 3, warmUpSeconds: 10 };
const QUICK: Size = { rounds: 3, seconds: 2, warmUpSeconds: 3 };
const USERS = 100;
const CALLERS = 64;
const MAX_CALLS = 200_000;
const LIST = `/v1/users?limit=${USERS}`;

type Recorder = 'recordRequests' | 'recordReads';

/** `--quick` takes half a minute and is imprecise. */
export function benchRequestLog(options: readonly string[]): Promise<string> {
  return benchRecorder('recordRequests', options);
}

/** The audit trail records a read once per credential, user, resource and hour, so only the first round writes. */
export function benchAuditTrail(options: readonly string[]): Promise<string> {
  return benchRecorder('recordReads', options);
}

async function benchRecorder(recorder: Recorder, options: readonly string[]): Promise<string> {
  const size = options.includes('--quick') ? QUICK : FULL;
  const service = await startBenchChild(join(import.meta.dirname, 'reads/service-child.ts'));
  const load = await startBenchChild(join(import.meta.dirname, 'http/load-child.ts'));
  try {
    const facts = await service.call<ServiceFacts>('start', {});
    const userIds = await service.call<readonly string[]>('fillDaily', { users: USERS });
    const measure = (readPath: (id: string) => string) => {
      const paths = userIds.map(readPath);
      const run = (seconds: number) =>
        load.call<Round>('run', {
          callers: CALLERS,
          maxCalls: MAX_CALLS,
          url: facts.url,
          key: facts.key,
          paths,
          seconds,
        });
      return measurePairs(service, recorder, run, size);
    };
    const rows = [
      present('GET /v1/users/{id}', await measure((id) => `/v1/users/${id}`)),
      present(`daily, 30 days × ${METRIC_COUNT} metrics`, await measure(monthPath)),
    ];
    // The entry of a list names all of its users, and each of them is looked up at every call.
    if (recorder === 'recordReads') rows.push(present(`GET /v1/users, ${USERS} users`, await measure(() => LIST)));
    const head = [
      '',
      'with, per second',
      'without',
      'with of without',
      'CPU ms/call',
      'without',
      'CPU of without',
      'database ms/call',
      'without',
      'both of without',
    ];
    const conditions = `${size.rounds} pairs of rounds of ${size.seconds} s, medians of the pairs' ratios; ${CALLERS} at a time, ${USERS} users; the time to write the last calls of a round is added to it (aim: 0.95)`;
    return [`${describeMachine()}, ${facts.databaseVersion}`, conditions, '', presentTable(head, rows), ''].join('\n');
  } finally {
    await load.end();
    await service.end();
  }
}

/** The order changes from pair to pair, so that a drift of the machine affects both sides. */
async function measurePairs(
  service: BenchChild,
  recorder: Recorder,
  run: (seconds: number) => Promise<Round>,
  size: Size,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const isOn of [true, false]) await measureRound(service, recorder, () => run(size.warmUpSeconds), isOn);
  for (let round = 0; round < size.rounds; round += 1) {
    const isFirstOn = round % 2 === 0;
    const first = await measureRound(service, recorder, () => run(size.seconds), isFirstOn);
    const second = await measureRound(service, recorder, () => run(size.seconds), !isFirstOn);
    pairs.push(isFirstOn ? { on: first, off: second } : { on: second, off: first });
  }
  return pairs;
}

async function measureRound(
  service: BenchChild,
  recorder: Recorder,
  run: () => Promise<Round>,
  isOn: boolean,
): Promise<Measured> {
  await service.call(recorder, { isOn });
  const before = await readCpu(service);
  const { calls, perSecond } = await run();
  const writeMs = await service.call<number>(recorder, { isOn: false });
  const after = await readCpu(service);
  return {
    perSecond: calls / (calls / perSecond + writeMs / 1_000),
    cpuMs: (after.serviceMs - before.serviceMs) / calls,
    databaseMs: (after.databaseMs - before.databaseMs) / calls,
  };
}

async function readCpu(service: BenchChild) {
  const databaseMs = (await service.call<number | null>('readDatabaseCpuMs')) ?? 0;
  return { databaseMs, serviceMs: (await service.readCpuSeconds()) * 1_000 };
}

function present(name: string, pairs: readonly Pair[]): string[] {
  const middle = (read: (pair: Pair) => number) => median(pairs.map(read));
  return [
    name,
    Math.round(middle(({ on }) => on.perSecond)).toLocaleString('en'),
    Math.round(middle(({ off }) => off.perSecond)).toLocaleString('en'),
    middle(({ on, off }) => on.perSecond / off.perSecond).toFixed(3),
    middle(({ on }) => on.cpuMs).toFixed(3),
    middle(({ off }) => off.cpuMs).toFixed(3),
    middle(({ on, off }) => on.cpuMs / off.cpuMs).toFixed(3),
    middle(({ on }) => on.databaseMs).toFixed(3),
    middle(({ off }) => off.databaseMs).toFixed(3),
    middle(({ on, off }) => (on.cpuMs + on.databaseMs) / (off.cpuMs + off.databaseMs)).toFixed(3),
  ];
}
