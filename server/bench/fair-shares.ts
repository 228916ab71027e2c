// What one account meets while others attack: GET /v1/users/{id} while another account keeps expensive calls in flight, and
// deliveries while the endpoints of two other accounts hang; each beside the same on an idle service.
import { join } from 'node:path';
import { attackWithHangingEndpoints, READ_ATTACKS } from './hostile/fair-shares.ts';
import { type DeliveryTimes, measureDeliveries } from './hostile/measure-deliveries.ts';
import { measureReads, type ReadTimes } from './hostile/measure-reads.ts';
import type { HostileFacts } from './hostile/service-child.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';

type Plan = { readonly seconds: number; readonly only: string | undefined; readonly callers: number | undefined };

const SECONDS = 10;
const QUICK_SECONDS = 3;
const WARM_UP_SECONDS = 3;
const HANGING = 'hanging endpoints';
const HANGING_PER_ACCOUNT = 140;

/** `--quick`: three seconds per attack. `--only=NAME`: one attack. `--callers=N`: so many calls at once. */
export async function benchFairShares(options: readonly string[]): Promise<string> {
  const optionOf = (name: string) => options.find((option) => option.startsWith(`--${name}=`))?.split('=')[1];
  const callers = optionOf('callers');
  const plan: Plan = {
    seconds: options.includes('--quick') ? QUICK_SECONDS : SECONDS,
    only: optionOf('only'),
    callers: callers === undefined ? undefined : Number(callers),
  };
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
    const tables = [
      ...(plan.only === HANGING ? [] : [await measureAttacks({ service, attacker }, facts, plan), '']),
      ...(plan.only === undefined || plan.only === HANGING ? [await measureHanging(facts, plan), ''] : []),
    ];
    return [`${describeMachine()}, ${facts.databaseVersion}`, `${plan.seconds} s each`, '', ...tables].join('\n');
  } finally {
    for (const child of children.reverse()) await child.end();
  }
}

async function measureAttacks(
  { service, attacker }: Record<'service' | 'attacker', BenchChild>,
  { target, reader }: HostileFacts,
  { seconds, only, callers }: Plan,
): Promise<string> {
  await measureReads(target.url, reader, WARM_UP_SECONDS);
  const names = Object.keys(READ_ATTACKS).filter((name) => only === undefined || name === only);
  const rows: string[][] = [];
  for (const name of ['idle', ...names]) {
    await service.ask('resetStalls');
    const options = { name, target, seconds, ...(callers !== undefined && { callers }) };
    const attack = name === 'idle' ? null : attacker.ask<{ statuses: object }>('run', options);
    const times = await measureReads(target.url, reader, seconds);
    const { stallMs, cpuMs } = await service.ask<{ stallMs: number; cpuMs: number }>('readStalls');
    const { statuses } = (await attack) ?? { statuses: {} };
    rows.push([name, ...presentReads(times), stallMs.toFixed(0), cpuMs.toFixed(0), presentStatuses(statuses)]);
  }
  const stalls = ['longest stall ms', 'longest slice, CPU ms'];
  return presentTable(
    ['', 'reads', 'refused', 'p50 ms', 'p99 ms', 'max ms', ...stalls, 'answers to the attacker'],
    rows,
  );
}

async function measureHanging({ target, reader, accounts }: HostileFacts, { seconds }: Plan): Promise<string> {
  const idle = await measureDeliveries(target.url, reader.key, seconds);
  const hanging = await attackWithHangingEndpoints(target.url, accounts, HANGING_PER_ACCOUNT);
  const attacked = await measureDeliveries(target.url, reader.key, seconds);
  const name = `${HANGING_PER_ACCOUNT * accounts.length} endpoints hang, ${hanging.countOpen()} attempts open`;
  await hanging.close();
  const rows = [
    ['idle', ...presentDeliveries(idle)],
    [name, ...presentDeliveries(attacked)],
  ];
  return presentTable(['', 'deliveries', 'arrived', 'p50 ms', 'p99 ms', 'max ms'], rows);
}

function presentReads({ count, refused, ...times }: ReadTimes): string[] {
  return [String(count), String(refused), ...presentTimes(times)];
}

function presentDeliveries({ sent, arrived, ...times }: DeliveryTimes): string[] {
  return [String(sent), String(arrived), ...presentTimes(times)];
}

function presentTimes({ p50Ms, p99Ms, maxMs }: Pick<ReadTimes, 'p50Ms' | 'p99Ms' | 'maxMs'>): string[] {
  return [p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1));
}

function presentStatuses(statuses: object): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}
