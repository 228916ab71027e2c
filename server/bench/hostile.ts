// Measures one account while others attack: GET /v1/users/{id} during each attack, and deliveries while the endpoints of two
// other accounts hang, each compared with an idle service. It also measures the memory and stalls of the attacked service.
import { join } from 'node:path';
import { ATTACKS } from './hostile/attacks.ts';
import { attackWithHangingEndpoints } from './hostile/hanging-endpoints.ts';
import { type DeliveryTimes, measureDeliveries } from './hostile/measure-deliveries.ts';
import { measureReads } from './hostile/measure-reads.ts';
import type { HostileFacts, Watched } from './hostile/service-child.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';

type Plan = { readonly seconds: number; readonly only: string | undefined; readonly callers: number | undefined };

const SECONDS = 10;
const QUICK_SECONDS = 3;
const WARM_UP_SECONDS = 3;
const HANGING = 'hanging endpoints';
const HANGING_PER_ACCOUNT = 140;
/** The shipped service keeps its compiled code next to its data. */
const COMPILED_CODE = join(import.meta.dirname, '../../node_modules/.cache/compiled-bench');

/** `--quick`: three seconds per attack. `--only=NAME`: one attack. `--callers=N`: the number of parallel calls. */
export async function benchHostile(options: readonly string[]): Promise<string> {
  const optionOf = (name: string) => options.find((option) => option.startsWith(`--${name}=`))?.split('=')[1];
  const callers = optionOf('callers');
  const plan: Plan = {
    seconds: options.includes('--quick') ? QUICK_SECONDS : SECONDS,
    only: optionOf('only'),
    callers: callers === undefined ? undefined : Number(callers),
  };
  const names = Object.keys(ATTACKS).filter((name) => plan.only === undefined || name === plan.only);
  const rows: string[][] = [];
  let machine = describeMachine();
  for (const name of names) {
    const { row, databaseVersion } = await measureAttack(name, plan);
    machine = `${describeMachine()}, ${databaseVersion}`;
    rows.push(row);
  }
  const head = [
    '',
    'memory MB',
    'longest stall ms',
    'CPU ms',
    'read p99 ms, idle',
    'attacked',
    'responses to the attacker',
  ];
  const tables = [
    ...(rows.length > 0 ? [presentTable(head, rows), ''] : []),
    ...(plan.only === undefined || plan.only === HANGING ? [await measureHanging(plan), ''] : []),
  ];
  return [
    machine,
    `${plan.seconds} s idle and ${plan.seconds} s attacked, with a separate service each`,
    '',
    ...tables,
  ].join('\n');
}

/** Each attack gets a new service, so that leftovers such as queued jobs do not affect the next measurement. */
async function measureAttack(name: string, plan: Plan): Promise<{ row: string[]; databaseVersion: string }> {
  return withService(async (service, start, { target, reader, databaseVersion }) => {
    const attacker = await start('attack-child.ts');
    await attacker.call('run', { name, target, seconds: 0 }); // zero seconds: only builds the request bodies
    await measureReads(target.url, reader, WARM_UP_SECONDS);
    const idle = await measureReads(target.url, reader, plan.seconds);
    await service.call('startWatching');
    const options = {
      name,
      target,
      seconds: plan.seconds,
      ...(plan.callers !== undefined && { callers: plan.callers }),
    };
    const attack = attacker.call<{ statuses: object }>('run', options);
    const attacked = await measureReads(target.url, reader, plan.seconds);
    const watched = await service.call<Watched>('readWatched');
    const { statuses } = await attack;
    const refused = attacked.refused === 0 ? '' : ` (${attacked.refused} refused)`;
    const row = [
      name,
      `${watched.restMb.toFixed(0)} → ${watched.peakMb.toFixed(0)}`,
      watched.stallMs.toFixed(0),
      watched.cpuMs.toFixed(0),
      idle.p99Ms.toFixed(1),
      `${attacked.p99Ms.toFixed(1)}${refused}`,
      presentStatuses(statuses),
    ];
    return { row, databaseVersion };
  });
}

async function measureHanging({ seconds }: Plan): Promise<string> {
  return withService(async (_service, _start, { target, reader, accounts }) => {
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
  });
}

type StartChild = (file: string) => Promise<BenchChild>;

async function withService<Result>(
  work: (service: BenchChild, start: StartChild, facts: HostileFacts) => Promise<Result>,
): Promise<Result> {
  const children: BenchChild[] = [];
  const start: StartChild = async (file) => {
    const environment = { NODE_COMPILE_CACHE: COMPILED_CODE };
    const child = await startBenchChild(join(import.meta.dirname, 'hostile', file), { environment });
    children.push(child);
    return child;
  };
  try {
    const service = await start('service-child.ts');
    return await work(service, start, await service.call<HostileFacts>('start'));
  } finally {
    for (const child of children.reverse()) await child.end();
  }
}

function presentDeliveries({ sent, arrived, p50Ms, p99Ms, maxMs }: DeliveryTimes): string[] {
  return [String(sent), String(arrived), ...[p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1))];
}

function presentStatuses(statuses: object): string {
  return Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}
