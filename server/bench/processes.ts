// Benchmarks daily reads of a service with several numbers of API processes behind one port, and shows where the CPU time goes. All
// groups run at once and are measured in turn.
import { join } from 'node:path';
import type { Load } from './http/load-child.ts';
import type { GroupCpu, GroupFacts } from './processes/group-child.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';
import { readOption } from './support/read-option.ts';
import type { Round, RoundLimits } from './support/run-round.ts';
import { median } from './support/statistics.ts';

type Group = { readonly processes: number; readonly child: BenchChild; readonly facts: GroupFacts };
type Result = { readonly round: Round; readonly cpu: GroupCpu };

const SIZES = '1,2,4';
const USERS = 20;
const CALLERS = 64;

export async function benchProcesses(options: readonly string[]): Promise<string> {
  const isQuick = options.includes('--quick');
  const sizes = (readOption(options, 'sizes') ?? SIZES).split(',').map(Number);
  const rounds = isQuick ? 3 : 7;
  const measured: RoundLimits = { callers: CALLERS, seconds: isQuick ? 2 : 4, maxCalls: 200_000 };
  const warmUp = { ...measured, seconds: isQuick ? 4 : 10 };
  const children: BenchChild[] = [];
  const start = async (file: string) => {
    const child = await startBenchChild(join(import.meta.dirname, file));
    children.push(child);
    return child;
  };
  try {
    const load = await start('http/load-child.ts');
    const groups: Group[] = [];
    for (const processes of sizes) {
      const child = await start('processes/group-child.ts');
      groups.push({ processes, child, facts: await child.call<GroupFacts>('start', { processes, users: USERS }) });
    }
    const read = ({ facts }: Group, limits: RoundLimits) =>
      load.call<Round>('run', { ...limits, ...facts } satisfies Load);
    for (const group of groups) await read(group, warmUp);
    const results = groups.map((): Result[] => []);
    for (let round = 0; round < rounds; round += 1)
      for (const [index, group] of groups.entries()) {
        const before = await group.child.call<GroupCpu>('readCpu');
        const answered = await read(group, measured);
        const cpu = subtract(await group.child.call<GroupCpu>('readCpu'), before);
        results[index]?.push({ round: answered, cpu });
      }
    return present(groups, results, `${rounds} rounds of ${measured.seconds} s`);
  } finally {
    for (const child of children.reverse()) await child.end();
  }
}

function subtract(now: GroupCpu, before: GroupCpu): GroupCpu {
  return {
    supervisor: now.supervisor - before.supervisor,
    api: now.api.map((ms, index) => ms - (before.api[index] ?? 0)),
    worker: now.worker - before.worker,
    database: now.database - before.database,
  };
}

function present(groups: readonly Group[], results: readonly Result[][], rounds: string): string {
  const middle = (index: number, read: (result: Result) => number) => median((results[index] ?? []).map(read));
  /** The median of the ratios per round: a disturbance in a round affects both sides. */
  const ratio = (index: number) =>
    median(
      (results[index] ?? []).map(
        ({ round }, at) => round.perSecond / (results[0]?.[at]?.round.perSecond ?? Number.NaN),
      ),
    );
  const perThousand = (index: number, read: (cpu: GroupCpu) => number) =>
    middle(index, ({ round, cpu }) => read(cpu) / round.calls).toFixed(3);
  const rows = groups.map(({ processes }, index) => [
    `${processes} API process${processes === 1 ? '' : 'es'}`,
    Math.round(middle(index, ({ round }) => round.perSecond)).toLocaleString('en'),
    ratio(index).toFixed(2),
    middle(index, ({ round }) => round.p99Ms).toFixed(1),
    perThousand(index, ({ api }) => sum(api)),
    perThousand(index, ({ database }) => database),
    perThousand(index, ({ supervisor, worker }) => supervisor + worker),
    shares(middleShares(results[index] ?? [])),
  ]);
  const head = ['', 'reads/s', 'of one', 'p99 ms', 'API ms', 'database ms', 'others ms', 'share of each API process'];
  const conditions = `GET …/daily of ${USERS} sandbox users, ${CALLERS} connections, ${rounds} in turn, medians; CPU in milliseconds per read; the callers share the cores`;
  return [describeMachine(), conditions, '', presentTable(head, rows), ''].join('\n');
}

/** Of the CPU time of all API processes, largest first. */
function middleShares(results: readonly Result[]): number[] {
  const [first] = results;
  const sorted = results.map(({ cpu }) => cpu.api.map((ms) => ms / sum(cpu.api)).toSorted((a, b) => b - a));
  return (first?.cpu.api ?? []).map((_, index) => median(sorted.map((share) => share[index] ?? 0)));
}

function shares(values: readonly number[]): string {
  return values.map((value) => `${Math.round(value * 100)} %`).join(', ');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
