// Measures the call that creates a sandbox user: three devices, seven days and their scores, all present in the response.
import { randomUUID } from 'node:crypto';
import { type BenchService, startBenchService } from './support/bench-service.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';
import { quantile } from './support/statistics.ts';

const AIM_MS = 300;
const WARM_UP = 8;
const USERS = 60;
const QUICK_USERS = 15;

export async function benchSandbox(options: readonly string[]): Promise<string> {
  const count = options.includes('--quick') ? QUICK_USERS : USERS;
  const service = await startBenchService();
  try {
    const { key, sandboxKey } = service.facts;
    await createMany(service, key, WARM_UP);
    await createMany(service, sandboxKey, WARM_UP);
    const live = await createMany(service, key, count);
    const sandbox = await createMany(service, sandboxKey, count);
    const row = (name: string, { wallMs, cpuMs }: Times, aim: string) => {
      const sorted = wallMs.toSorted((a, b) => a - b);
      const cells = [quantile(sorted, 0.5), quantile(sorted, 0.95), sorted[0] ?? 0, cpuMs];
      return [name, ...cells.map((ms) => `${ms.toFixed(0)} ms`), aim];
    };
    return [
      `Creating users one after the other, ${count} of each. ${describeMachine()}`,
      '',
      presentTable(
        ['', 'median', '95 %', 'fastest', 'CPU of the service', 'aim'],
        [row('live', live, ''), row('sandbox', sandbox, `median < ${AIM_MS} ms`)],
      ),
    ].join('\n');
  } finally {
    await service.stop();
  }
}

type Times = { readonly wallMs: readonly number[]; readonly cpuMs: number };

async function createMany({ call }: BenchService, key: string, count: number): Promise<Times> {
  const times: number[] = [];
  const before = process.cpuUsage();
  for (let index = 0; index < count; index++) {
    const body = { reference_id: randomUUID(), timezone: 'Europe/Berlin' };
    const startMs = performance.now();
    await call('POST', '/v1/users', body, key);
    times.push(performance.now() - startMs);
  }
  const { user, system } = process.cpuUsage(before);
  return { wallMs: times, cpuMs: (user + system) / 1_000 / count };
}
