// Benchmarks small uploads, as phones send them all day, against one durable single-row transaction on the same server.
import { join } from 'node:path';
import type { SmallUploadLoad } from './small-uploads/load-child.ts';
import type { SmallPhoneFacts } from './small-uploads/service-child.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';
import { readOption, readProfileFlags } from './support/read-option.ts';
import type { Round, RoundLimits } from './support/run-round.ts';
import { median } from './support/statistics.ts';

type Contestant = { readonly name: string; readonly child: BenchChild; run(round: number): Promise<Round> };
type Result = Round & { readonly cpuMs: number; readonly databaseMs: number };
/** Figures that are not compared with the other contestants. */
type Extra = { readonly statements: readonly string[]; readonly perUpload: number; readonly phonesMs: number };
type Size = { readonly rounds: number; readonly warmUpRounds: number; readonly seconds: number };

const PHONES = 64;
const MAX_CALLS = 1_000_000;
const FULL: Size = { rounds: 7, warmUpRounds: 2, seconds: 5 };
const QUICK: Size = { rounds: 3, warmUpRounds: 1, seconds: 2 };
const AIM = 0.35;
const AIM_DATABASE_MS = 1.5;
const AIMS = `aims: ${AIM} of the rate of one row, ${AIM_DATABASE_MS} ms of the database`;

/**
 * `--quick` takes half a minute. `--disk-ms=NUMBER` delays every write to the disk by NUMBER milliseconds: many disks confirm a
 * write at once because they have a cache. `--profile=FOLDER` writes a CPU profile of the service there.
 */
export async function benchSmallUploads(options: readonly string[]): Promise<string> {
  const size = options.includes('--quick') ? QUICK : FULL;
  const diskMs = Number(readOption(options, 'disk-ms') ?? 0);
  const children: BenchChild[] = [];
  const start = async (file: string, nodeFlags: string[] = []) => {
    const child = await startBenchChild(join(import.meta.dirname, file), { nodeFlags });
    children.push(child);
    return child;
  };
  try {
    const service = await start('small-uploads/service-child.ts', readProfileFlags(options));
    const facts = await service.call<SmallPhoneFacts>('start', { users: PHONES });
    const load = await start('small-uploads/load-child.ts');
    const insert = await start('small-uploads/insert-child.ts');
    await insert.call('start', facts);
    await insert.call('delayDisk', diskMs);
    const limits: RoundLimits = { callers: PHONES, seconds: size.seconds, maxCalls: MAX_CALLS };
    const contestants: Contestant[] = [
      {
        name: 'small uploads',
        child: service,
        run: () => {
          const { url, tokens, evening } = facts;
          return load.call<Round>('run', { limits, url, tokens, evening } satisfies SmallUploadLoad);
        },
      },
      { name: `(a) one row, durable, ${PHONES} callers`, child: insert, run: () => insert.call<Round>('run', limits) },
      {
        name: '(b) one row, durable, one caller',
        child: insert,
        run: () => insert.call<Round>('run', { ...limits, callers: 1 }),
      },
    ];
    const readDatabase = () => service.call<number>('readDatabaseCpuMs');
    const results = await measureAlternating(contestants, size, readDatabase);
    const statements = await service.call<string[]>('listStatements');
    await service.call('startRecording');
    const phonesBefore = await load.readCpuSeconds();
    const { calls } = (await contestants[0]?.run(0)) ?? { calls: Number.NaN };
    const perUpload = (await service.call<number>('countRecorded')) / calls;
    const phonesMs = (((await load.readCpuSeconds()) - phonesBefore) * 1000) / calls;
    const machine = `${describeMachine()}, ${facts.databaseVersion}, disk delayed by ${diskMs} ms`;
    return present(contestants, results, size, machine, { statements, perUpload, phonesMs });
  } finally {
    for (const child of children.reverse()) await child.end(); // the service and its database end last
  }
}

/** Alternates the contestants, so that other load on the machine affects both. */
async function measureAlternating(
  contestants: readonly Contestant[],
  size: Size,
  readDatabase: () => Promise<number>,
): Promise<Result[][]> {
  const results: Result[][] = contestants.map(() => []);
  for (let round = 0; round < size.warmUpRounds + size.rounds; round += 1) {
    for (const [index, { child, run }] of contestants.entries()) {
      const [cpuBefore, databaseBefore] = [await child.readCpuSeconds(), await readDatabase()];
      const measured = await run(round);
      const cpuMs = (((await child.readCpuSeconds()) - cpuBefore) * 1000) / measured.calls;
      const databaseMs = ((await readDatabase()) - databaseBefore) / measured.calls;
      if (round >= size.warmUpRounds) results[index]?.push({ ...measured, cpuMs, databaseMs });
    }
  }
  return results;
}

function present(
  contestants: readonly Contestant[],
  results: readonly Result[][],
  { rounds, seconds }: Size,
  machine: string,
  { statements, perUpload, phonesMs }: Extra,
): string {
  const [ofMany, ofOne] = [results.at(-2) ?? [], results.at(-1) ?? []];
  const middle = (index: number, name: keyof Result) => median((results[index] ?? []).map((result) => result[name]));
  const rows = contestants.map(({ name }, index) => {
    const ratiosTo = (limit: readonly Result[]) =>
      (results[index] ?? []).map(({ perSecond }, round) => perSecond / (limit[round]?.perSecond ?? 0));
    return [
      name,
      middle(index, 'perSecond').toFixed(0),
      presentRatios(ratiosTo(ofMany)),
      presentRatios(ratiosTo(ofOne)),
      middle(index, 'p50Ms').toFixed(0),
      middle(index, 'p99Ms').toFixed(0),
      middle(index, 'cpuMs').toFixed(2),
      middle(index, 'databaseMs').toFixed(2),
    ];
  });
  const head = ['', 'per second', 'of (a)', 'of (b)', 'p50 ms', 'p99 ms', 'CPU ms', 'database CPU ms'];
  const conditions = `5 heart-rate samples and 1 daily value of the present day per upload; ${PHONES} phones, ${rounds} rounds of ${seconds} s alternating, medians; CPU of the process and of the database per call; ${AIMS}`;
  return [
    machine,
    conditions,
    '',
    presentTable(head, rows),
    '',
    `one upload alone is ${statements.length} statements: ${statements.join(', ')}`,
    `with ${PHONES} phones ${perUpload.toFixed(2)} statements per upload, scoring and publishing included`,
    `the phones themselves take ${phonesMs.toFixed(2)} ms of CPU per upload`,
    '',
  ].join('\n');
}

/** The median, and the rounds that differ most. */
function presentRatios(ratios: readonly number[]): string {
  return `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
}
