// Benchmarks uploads of one device-day each over HTTP against a bare COPY of the same samples into a table on the same server.
import { join } from 'node:path';
import pg from 'pg';
import type { CopyLoad } from './ingest/copy-child.ts';
import { SAMPLES_A_DAY } from './ingest/device-day.ts';
import type { UploadLoad } from './ingest/load-child.ts';
import type { PhoneFacts } from './ingest/service-child.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';
import { readProfileFlags } from './support/read-option.ts';
import type { Round } from './support/run-round.ts';
import { median } from './support/statistics.ts';

type Contestant = { readonly name: string; readonly child: BenchChild; run(firstDay: number): Promise<Round> };
type Result = Round & { readonly cpuMs: number };
type Size = { readonly rounds: number; readonly warmUpRounds: number; readonly days: number };

const PHONES = 16; // per contestant
const CALLERS = 8; // the fewest that keep two cores busy
const FULL: Size = { rounds: 7, warmUpRounds: 2, days: 6 };
const QUICK: Size = { rounds: 2, warmUpRounds: 1, days: 2 };
const AIM = 2;

/** `--quick` takes a few seconds and prints no verdict. `--profile=FOLDER` writes a CPU profile of the service there. */
export async function benchIngest(options: readonly string[]): Promise<string> {
  const size = options.includes('--quick') ? QUICK : FULL;
  const children: BenchChild[] = [];
  const start = async (file: string, nodeFlags: string[] = []) => {
    const child = await startBenchChild(join(import.meta.dirname, 'ingest', file), { nodeFlags });
    children.push(child);
    return child;
  };
  try {
    const service = await start('service-child.ts', readProfileFlags(options));
    const facts = await service.call<PhoneFacts>('start', { users: PHONES * 2 });
    const load = await start('load-child.ts');
    const copy = await start('copy-child.ts');
    const { max: _, ...connection } = facts.pool;
    const common = { callers: CALLERS, days: size.days };
    const upload = (first: number, encoding: UploadLoad['encoding']) => (firstDay: number) =>
      load.call<Round>('run', {
        ...common,
        url: facts.url,
        tokens: facts.tokens.slice(first, first + PHONES),
        encoding,
        firstDay,
      } satisfies UploadLoad);
    const copyDays = (firstDay: number) =>
      copy.call<Round>('run', {
        ...common,
        connection,
        userIds: facts.userIds.slice(0, PHONES),
        firstDay,
      } satisfies CopyLoad);
    const contestants: Contestant[] = [
      { name: 'uploads, plain', child: service, run: upload(0, 'identity') },
      { name: 'uploads, gzip', child: service, run: upload(PHONES, 'gzip') },
      { name: '(a) bare COPY into rows', child: copy, run: copyDays },
    ];
    const results = await measureAlternating(contestants, size);
    const days = (size.rounds + size.warmUpRounds) * size.days;
    await requireSamples(connection, days * PHONES * 2 * SAMPLES_A_DAY);
    return present(contestants, results, size, facts.databaseVersion);
  } finally {
    for (const child of children.reverse()) await child.end(); // the service and its database end last
  }
}

/** Alternates the contestants, so that other load on the machine affects all of them. Every round sends new days. */
async function measureAlternating(contestants: readonly Contestant[], size: Size): Promise<Result[][]> {
  const results: Result[][] = contestants.map(() => []);
  for (let round = 0; round < size.warmUpRounds + size.rounds; round += 1) {
    for (const [index, { child, run }] of contestants.entries()) {
      const before = await child.readCpuSeconds();
      const measured = await run(round * size.days);
      const cpuMs = (((await child.readCpuSeconds()) - before) * 1000) / measured.calls;
      if (round >= size.warmUpRounds) results[index]?.push({ ...measured, cpuMs });
    }
  }
  return results;
}

/** Checks that the samples of successful uploads were stored: rejected uploads would look fast. */
async function requireSamples(connection: CopyLoad['connection'], expected: number): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query('select sum(count)::integer as samples from sample_blocks');
  await client.end();
  if (rows[0]?.samples !== expected) throw new Error(`${rows[0]?.samples} samples were stored instead of ${expected}`);
}

function present(
  contestants: readonly Contestant[],
  results: readonly Result[][],
  { rounds, days }: Size,
  version: string,
): string {
  const limit = results.at(-1) ?? [];
  const middle = (index: number, name: keyof Result) => median((results[index] ?? []).map((result) => result[name]));
  const rows = contestants.map(({ name }, index) => {
    const ratios = (results[index] ?? []).map(({ perSecond }, round) => perSecond / (limit[round]?.perSecond ?? 0));
    return [
      name,
      Math.round(middle(index, 'perSecond') * SAMPLES_A_DAY).toLocaleString('en'),
      middle(index, 'perSecond').toFixed(1),
      median(ratios).toFixed(2),
      `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      middle(index, 'p50Ms').toFixed(0),
      middle(index, 'p99Ms').toFixed(0),
      middle(index, 'cpuMs').toFixed(1),
    ];
  });
  const head = ['', 'samples/s', 'uploads/s', 'of (a)', 'rounds', 'p50 ms', 'p99 ms', 'CPU ms/upload'];
  const conditions = `${SAMPLES_A_DAY.toLocaleString('en')} heart-rate samples per upload; ${PHONES} users, ${CALLERS} uploads at a time, ${rounds} rounds of ${PHONES * days} alternating, medians; CPU of the service, or of the client of (a); aim ${AIM.toFixed(1)} of (a)`;
  return [`${describeMachine()}, ${version}`, conditions, '', presentTable(head, rows), ''].join('\n');
}
