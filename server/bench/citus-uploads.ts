// Benchmarks small uploads on a Citus cluster against a plain server of the same PostgreSQL: the CPU of each node per upload.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../src/platform/db/database.ts';
import { startCitusCluster } from '../test/support/citus-cluster.ts';
import { createCluster, openCluster } from '../test/support/replicated-postgres.ts';
import { connectToDatabase } from '../test/support/test-database.ts';
import type { SmallUploadLoad } from './small-uploads/load-child.ts';
import type { SmallPhoneFacts, SmallUploadService } from './small-uploads/service-child.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import { readDatabaseCpuMs } from './support/database-cpu.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { presentTable } from './support/present-table.ts';
import { readOption } from './support/read-option.ts';
import type { Round, RoundLimits } from './support/run-round.ts';
import { median } from './support/statistics.ts';

type Server = { readonly url: string };
type Contestant = {
  readonly name: string;
  readonly nodes: readonly Database[];
  readonly service: BenchChild;
  readonly load: BenchChild;
  readonly facts: SmallPhoneFacts;
};
type Result = { readonly uploads: number; readonly serviceMs: number; readonly nodeMs: readonly number[] };

const PHONES = 64;
const FULL = { rounds: 7, warmUpRounds: 2, uploads: 6_000 };
const QUICK = { rounds: 3, warmUpRounds: 1, uploads: 2_500 };
const MAX_SECONDS = 120;
type Size = typeof FULL & { readonly phones: number };

/**
 * `--bin=FOLDER` has the binaries of a PostgreSQL with Citus; `--shards=NUMBER` is for all nodes together. With `--coordinator-only` the service has
 * no connections to the nodes. `--phones=NUMBER` is how many upload at once.
 */
export async function benchCitusUploads(options: readonly string[]): Promise<string> {
  const [bin, shards] = [readOption(options, 'bin'), readOption(options, 'shards')];
  const phones = Number(readOption(options, 'phones') ?? PHONES);
  if (bin === undefined) return 'citus-uploads needs --bin=FOLDER with the binaries of a PostgreSQL with Citus.';
  const size = options.includes('--quick') ? QUICK : FULL;
  const folder = await makeDataFolder();
  const ends: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })];
  try {
    const cluster = await startCitusCluster(folder, bin, shards ? { 'citus.shard_count': shards } : {});
    ends.push(() => cluster.stop());
    const plain = await startPlainServer(join(folder, 'plain'), bin);
    ends.push(() => plain.kill());
    const start = async (
      name: string,
      servers: readonly [Server, ...Server[]],
      environment: Readonly<Record<string, string>> = {},
    ): Promise<Contestant> => {
      const nodes = servers.map(({ url }) => connectToDatabase(url, 1));
      ends.push(async () => void (await Promise.all(nodes.map((node) => node.close()))));
      const service = await startBenchChild(join(import.meta.dirname, 'small-uploads/service-child.ts'));
      ends.push(() => service.end());
      const load = await startBenchChild(join(import.meta.dirname, 'small-uploads/load-child.ts'));
      ends.push(() => load.end());
      const given: SmallUploadService = { users: phones, databaseUrl: servers[0].url, environment };
      const facts = await service.call<SmallPhoneFacts>('start', given);
      return { name, nodes, service, load, facts };
    };
    const contestants = [
      options.includes('--coordinator-only')
        ? await start('Citus, coordinator only', [cluster.coordinator, ...cluster.workers])
        : await start('Citus', [cluster.coordinator, ...cluster.workers], cluster.nodeSettings),
      await start('plain server', [plain]),
    ];
    const results = await measureAlternating(contestants, { ...size, phones });
    return present(contestants, results, { ...size, phones });
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function startPlainServer(data: string, bin: string) {
  await createCluster(data, bin);
  const server = await openCluster(data, {}, bin);
  await server.start();
  return server;
}

/** Alternates, so that other load on the machine affects both. */
async function measureAlternating(contestants: readonly Contestant[], size: Size): Promise<Result[][]> {
  const results: Result[][] = contestants.map(() => []);
  for (let round = 0; round < size.warmUpRounds + size.rounds; round += 1)
    for (const [index, contestant] of contestants.entries()) {
      const result = await measure(contestant, size);
      if (round >= size.warmUpRounds) results[index]?.push(result);
    }
  return results;
}

async function measure({ nodes, service, load, facts }: Contestant, { phones, uploads }: Size): Promise<Result> {
  const readNodes = () => Promise.all(nodes.map(async (node) => (await readDatabaseCpuMs(node)) ?? Number.NaN));
  const limits: RoundLimits = { callers: phones, seconds: MAX_SECONDS, maxCalls: uploads };
  const { url, tokens, evening } = facts;
  const [nodesBefore, serviceBefore] = [await readNodes(), await service.readCpuSeconds()];
  const { calls } = await load.call<Round>('run', { limits, url, tokens, evening } satisfies SmallUploadLoad);
  const [nodesAfter, serviceAfter] = [await readNodes(), await service.readCpuSeconds()];
  return {
    uploads: calls,
    serviceMs: ((serviceAfter - serviceBefore) * 1_000) / calls,
    nodeMs: nodesAfter.map((after, index) => (after - (nodesBefore[index] ?? 0)) / calls),
  };
}

function present(
  contestants: readonly Contestant[],
  results: readonly Result[][],
  { phones, rounds, uploads }: Size,
): string {
  const rows = contestants.map(({ name, nodes }, index) => {
    const ofOne = results[index] ?? [];
    const first = ofOne.map(({ nodeMs }) => nodeMs[0] ?? Number.NaN);
    return [
      name,
      median(first).toFixed(2),
      `${Math.min(...first).toFixed(2)}–${Math.max(...first).toFixed(2)}`,
      nodes
        .slice(1)
        .map((_, at) => median(ofOne.map(({ nodeMs }) => nodeMs[at + 1] ?? Number.NaN)).toFixed(2))
        .join(', '),
      median(ofOne.map(({ serviceMs }) => serviceMs)).toFixed(2),
    ];
  });
  const head = ['', 'server or coordinator, CPU ms', 'rounds', 'workers', 'service'];
  const conditions = `5 heart-rate samples and 1 daily value per upload; ${phones} phones, ${rounds} alternating rounds of ${uploads} uploads, medians; CPU of an API process and of each node per upload`;
  return [`${describeMachine()}, PostgreSQL with fsync off`, conditions, '', presentTable(head, rows), ''].join('\n');
}
