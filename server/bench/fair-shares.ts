// GET /v1/users/{id} of one account while another account keeps expensive calls in flight, beside the same read on an idle
// service.
import { join } from 'node:path';
import { READ_ATTACKS } from './hostile/fair-shares.ts';
import { measureReads, type ReadTimes } from './hostile/measure-reads.ts';
import type { HostileFacts } from './hostile/service-child.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';

const SECONDS = 10;
const QUICK_SECONDS = 3;
const WARM_UP_SECONDS = 3;
const ONLY = '--only=';
const CALLERS = '--callers=';

/** `--quick`: three seconds per attack. `--only=NAME`: one attack. `--callers=N`: so many calls at once. */
export async function benchFairShares(options: readonly string[]): Promise<string> {
  const seconds = options.includes('--quick') ? QUICK_SECONDS : SECONDS;
  const only = options.find((option) => option.startsWith(ONLY))?.slice(ONLY.length);
  const callers = options.find((option) => option.startsWith(CALLERS))?.slice(CALLERS.length);
  const names = Object.keys(READ_ATTACKS).filter((name) => only === undefined || name === only);
  const children: BenchChild[] = [];
  const start = async (file: string) => {
    const child = await startBenchChild(join(import.meta.dirname, 'hostile', file));
    children.push(child);
    return child;
  };
  try {
    const service = await start('service-child.ts');
    const facts = await service.ask<HostileFacts>('start');
    const attacker = await start('attack-child.ts');
    await measureReads(facts.target.url, facts.reader, WARM_UP_SECONDS);
    const rows: string[][] = [];
    for (const name of ['idle', ...names]) {
      await service.ask('resetStalls');
      const attack =
        name === 'idle'
          ? null
          : attacker.ask<{ statuses: object }>('run', {
              name,
              target: facts.target,
              seconds,
              ...(callers && { callers: Number(callers) }),
            });
      const times = await measureReads(facts.target.url, facts.reader, seconds);
      const stallMs = await service.ask<number>('longestStallMs');
      rows.push([name, ...presentTimes(times), stallMs.toFixed(0), presentStatuses((await attack)?.statuses ?? {})]);
    }
    const head = [
      'attack',
      'reads',
      'refused',
      'p50 ms',
      'p99 ms',
      'max ms',
      'longest stall ms',
      'answers to attacker',
    ];
    return [
      `${describeMachine()}, ${facts.databaseVersion}`,
      `${seconds} s per attack`,
      '',
      presentTable(head, rows),
      '',
    ].join('\n');
  } finally {
    for (const child of children.reverse()) await child.end();
  }
}

function presentTimes({ count, refused, p50Ms, p99Ms, maxMs }: ReadTimes): string[] {
  return [String(count), String(refused), ...[p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1))];
}

function presentStatuses(statuses: object): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}
