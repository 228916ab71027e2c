// Benchmarks the export of a user-year with heart rate every minute in each format, beside a lower bound: reading and unpacking the
// same stored samples, and writing each as JSON.
import { rm } from 'node:fs/promises';
import { METRICS, type MetricId } from '../src/domain/metrics/index.ts';
import type { SampleColumns } from '../src/domain/packed/sample-blocks/index.ts';
import { MINUTE_MS } from '../src/domain/time/durations.ts';
import { ingest } from '../src/features/pipeline/ingest/index.ts';
import { parseExportQuery } from '../src/features/reads/exports/export-query.ts';
import { findExcluded } from '../src/features/reads/exports/exportable.ts';
import { findRange } from '../src/features/reads/exports/find-range.ts';
import { joinPieces } from '../src/features/reads/exports/join-pieces.ts';
import { EXPORT_RESOURCES } from '../src/features/reads/exports/records.ts';
import { writeExport } from '../src/features/reads/exports/write-export.ts';
import { openSource } from '../src/features/store/devices/index.ts';
import { listBlocks, readBlockPayload, unpackBlock } from '../src/features/store/samples/index.ts';
import { lockUser, type UserHandle } from '../src/features/tenancy/user-core/index.ts';
import { createDatabase, type Database, type Transaction } from '../src/platform/db/database.ts';
import { loadMigrations, migrate } from '../src/platform/db/migrate.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { createLogger } from '../src/platform/log.ts';
import type { Services } from '../src/platform/services.ts';
import { createUsers } from './storage/run-month.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { presentTable } from './support/present-table.ts';
import { readOption } from './support/read-option.ts';
import { median, quantile } from './support/statistics.ts';

const ROUNDS = 5;
const QUICK_ROUNDS = 1;
const AIM_MS = 1_000;
const FORMATS = ['ndjson', 'csv', 'parquet', 'fhir', 'omh', 'bundle'] as const;
const MAX_BLOCKS = 100_000;
/** Asking for the memory takes a third of a millisecond. */
const CHECK_MS = 50;
const BUSY_MS = 0.5;
const YEAR_MINUTES = 365 * 24 * 60;
const YEAR_START_MS = Date.parse('2025-03-01T00:00:00Z');
const YEAR_END = new Date('2026-03-02T12:00:00Z');

type Measured = { readonly ms: number; readonly cpuMs: number; readonly bytes: number; readonly peakMb: number };
/** Rounds of the event loop, in CPU time, which other programs on the machine do not increase. */
type Rounds = { readonly p99Ms: number; readonly longestMs: number };

/** `--only=FORMAT` measures one format. */
export async function benchExport(options: readonly string[]): Promise<string> {
  const rounds = options.includes('--quick') ? QUICK_ROUNDS : ROUNDS;
  const only = readOption(options, 'only');
  const dataDir = await makeDataFolder();
  const log = createLogger('silent');
  const server = await startEmbeddedPostgres({ dataDir, print: () => undefined, log });
  const db = createDatabase({ maxConnections: 5, log });
  try {
    db.attach(server.connection);
    await migrate(db, loadMigrations());
    const user = await createUser(db);
    const runs = new Map<string, () => AsyncIterable<string | Buffer>>([
      ['stored samples as JSON', () => writeBare(db, user)],
      ...FORMATS.filter((format) => only === undefined || format === only).map(
        (format) => [format, () => exportAs(db, user, format)] as const,
      ),
    ]);
    const measured = new Map<string, Measured[]>([...runs.keys()].map((name) => [name, []]));
    for (let round = 0; round <= rounds; round += 1)
      for (const [name, run] of runs) {
        const one = await measure(run);
        if (round > 0) measured.get(name)?.push(one); // the first warms up
      }
    const watched = new Map<string, Rounds>();
    for (const [name, run] of runs) watched.set(name, await watchRounds(run));
    const bareMs = median((measured.get('stored samples as JSON') ?? []).map(({ ms }) => ms));
    const rows = [...measured].map(([name, all]) => {
      const ms = median(all.map((one) => one.ms));
      return [
        name,
        ms.toFixed(0),
        (ms / bareMs).toFixed(2),
        median(all.map(({ cpuMs }) => cpuMs)).toFixed(0),
        ((all[0]?.bytes ?? 0) / 1e6).toFixed(1),
        Math.max(...all.map(({ peakMb }) => peakMb)).toFixed(0),
        (watched.get(name)?.p99Ms ?? Number.NaN).toFixed(1),
        (watched.get(name)?.longestMs ?? Number.NaN).toFixed(1),
      ];
    });
    const head = [
      'format',
      `ms (aim ${AIM_MS})`,
      'ratio',
      'CPU ms',
      'MB',
      'peak memory in MB',
      'loop p99 ms',
      'longest',
    ];
    const about = `one user, 365 days, heart rate every minute of one device; everything that reads return (CSV and Parquet: all five tables). Medians of ${rounds} rounds, alternating; CPU and memory of the exporting process, without the database. Loop: CPU time between two rounds of the event loop, of rounds with at least ${BUSY_MS} ms`;
    return [describeMachine(), about, '', presentTable(head, rows), ''].join('\n');
  } finally {
    await db.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Heart rate every minute of a year. */
async function createUser(db: Database): Promise<UserHandle> {
  const users = await createUsers(db, 1);
  const [userId] = users.userIds;
  const open = async (tx: Transaction) => {
    const locked = userId && (await lockUser(tx, users.tenant, userId));
    if (!locked) throw new Error('user not found');
    return locked.handle;
  };
  await db.transaction(async (tx) => {
    const user = await open(tx);
    const source = {
      provider: 'apple_health',
      deviceClass: 'wrist',
      id: 'minutes',
      name: null,
      model: null,
      osVersion: null,
    };
    const opening = { observedZone: null, installationId: 'bench', sessionCreatedAt: YEAR_END, barOf: () => null };
    const opened = await openSource(tx, user, { source: source as never, ...opening }, YEAR_END);
    if (opened === null) throw new Error('the source was rejected');
    const samples = new Map([['heart_rate' as MetricId, createMinutes()]]);
    await ingest(tx, user, opened, { samples, daily: [], sleep: [], workouts: [], deletions: [] }, YEAR_END);
  });
  return db.transaction(open);
}

function createMinutes(): SampleColumns {
  const starts = Float64Array.from({ length: YEAR_MINUTES }, (_, index) => YEAR_START_MS + index * MINUTE_MS);
  const values = Float64Array.from(starts, (_, index) => 55 + ((index * 7) % 90));
  const runs = [{ count: YEAR_MINUTES, unit: 'bpm', offsetMinutes: 60, method: 'automatic' as const }];
  return { starts, ends: null, values, runs };
}

async function measure(run: () => AsyncIterable<string | Buffer>): Promise<Measured> {
  let [bytes, peak, nextCheck] = [0, 0, 0];
  const [startMs, before] = [performance.now(), process.cpuUsage()];
  for await (const piece of run()) {
    bytes += piece.length;
    if (performance.now() < nextCheck) continue;
    peak = Math.max(peak, process.memoryUsage.rss());
    nextCheck = performance.now() + CHECK_MS;
  }
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - startMs, cpuMs: (user + system) / 1_000, bytes, peakMb: peak / 1e6 };
}

async function watchRounds(run: () => AsyncIterable<string | Buffer>): Promise<Rounds> {
  const slices: number[] = [];
  let [isWatched, lastMs] = [true, readThreadMs()];
  const watch = () => {
    const nowMs = readThreadMs();
    if (nowMs - lastMs >= BUSY_MS) slices.push(nowMs - lastMs);
    lastMs = nowMs;
    if (isWatched) setImmediate(watch);
  };
  setImmediate(watch);
  for await (const _ of run());
  isWatched = false;
  slices.sort((a, b) => a - b);
  return { p99Ms: quantile(slices, 0.99), longestMs: slices.at(-1) ?? 0 };
}

function readThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function* exportAs(db: Database, user: UserHandle, format: (typeof FORMATS)[number]) {
  const services = { db, clock: { now: () => YEAR_END }, settings: { version: 'bench' } } as unknown as Services;
  const tables = format === 'csv' || format === 'parquet' ? EXPORT_RESOURCES : [undefined];
  for (const resources of tables) {
    const request = parseExportQuery(user.userId, { format, resources });
    const source = { db, user, isWanted: () => true, excluded: findExcluded([]) };
    const range = await findRange(db, user, request);
    yield* joinPieces(writeExport(services, source, request, { range, exclusions: null }));
  }
}

async function* writeBare(db: Database, user: UserHandle): AsyncGenerator<string> {
  const everything = { metric: null, device: null, interval: null };
  const known = new Set(METRICS.map(({ id }) => id));
  for (const block of await listBlocks(db, user, everything, { after: null, limit: MAX_BLOCKS })) {
    const payload = await readBlockPayload(db, user, block);
    if (payload === null || block.metric === null || !known.has(block.metric)) continue;
    const { starts, values } = unpackBlock(payload);
    let text = '';
    for (let index = 0; index < starts.length; index += 1)
      text += `${JSON.stringify({ metric: block.metric, start: starts[index], value: values[index] })}\n`;
    yield text;
  }
}
