// Finds the best interval for sample blocks: a month of uploads, dense and sparse, hourly and daily, with late samples and
// corrections, into tables of hour, six-hour and day blocks on an embedded PostgreSQL with fsync on.

import { rm } from 'node:fs/promises';
import pg from 'pg';
import { DAY_MS, HOUR_MS } from '../src/domain/time/durations.ts';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres/index.ts';
import { createLogger } from '../src/platform/log.ts';
import type { Variant } from './storage-intervals/block-table.ts';
import { COMPRESSIONS, type Compression } from './storage-intervals/compressions.ts';
import { CADENCES, type Cadence, type Late, planUploads } from './storage-intervals/generate-series.ts';
import { measureCodecs } from './storage-intervals/measure-codecs.ts';
import { type MonthResult, runMonth } from './storage-intervals/run-month.ts';
import { describeMachine } from './support/describe-machine.ts';
import { makeDataFolder } from './support/make-data-folder.ts';
import { presentTable } from './support/present-table.ts';

type Size = { readonly users: number; readonly days: number; readonly rounds: number };
type Plan = Size & { readonly late: Late };
type Run = { readonly cadence: Cadence; readonly every: 'hourly' | 'daily'; readonly results: readonly MonthResult[] };

const FULL: Size = { users: 20, days: 30, rounds: 3 };
/** Ten variants instead of three, and hourly uploads only. */
const SETTINGS_SIZE: Size = { users: 20, days: 10, rounds: 1 };
const QUICK: Size = { users: 10, days: 5, rounds: 1 };
/** The month takes about a minute, so autovacuum runs once per simulated day; in a real month it would run far oftener. */
const SETTINGS = { autovacuum_naptime: '2s' };
const AIMS: Readonly<Record<string, number>> = { 'dense, 10 s': 2, 'sparse, 5 min': 6 };

/** `--quick`: a small month. `--late-hours`: whole late hours. `--settings`: compares table settings at six hours. */
export async function benchStorageSpans(options: readonly string[]): Promise<string> {
  const ofSettings = options.includes('--settings');
  const size = options.includes('--quick') ? QUICK : ofSettings ? SETTINGS_SIZE : FULL;
  const plan: Plan = { ...size, late: options.includes('--late-hours') ? 'by the hour' : 'one by one' };
  const variants = ofSettings ? listSettings() : listSpans();
  const rhythms = ofSettings ? (['hourly'] as const) : (['hourly', 'daily'] as const);
  const dataDir = await makeDataFolder();
  const server = await startEmbeddedPostgres({
    dataDir,
    print: () => undefined,
    log: createLogger('silent'),
    settings: SETTINGS,
  });
  const db = new pg.Pool({ ...server.connection, max: 8 });
  try {
    const runs: Run[] = [];
    for (const cadence of CADENCES)
      for (const every of rhythms) runs.push(await runOne(db, variants, plan, cadence, every));
    return present(runs, plan, server.serverVersion, measureCodecs(size.rounds, size.rounds));
  } finally {
    await db.end();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function runOne(
  db: pg.Pool,
  variants: readonly Variant[],
  { users, days, late }: Plan,
  cadence: Cadence,
  every: Run['every'],
): Promise<Run> {
  const everyMs = every === 'hourly' ? HOUR_MS : DAY_MS;
  const slots = planUploads(cadence, users, days, everyMs, late);
  return { cadence, every, results: await runMonth(db, variants, slots, DAY_MS / everyMs) };
}

function listSpans(): Variant[] {
  return [1, 6, 24].map((hours) => makeVariant(`${hours} h`, { hours }));
}

function listSettings(): Variant[] {
  return [
    makeVariant('as shipped', {}),
    makeVariant('fillfactor 85', { fillfactor: 85 }),
    makeVariant('fillfactor 60', { fillfactor: 60 }),
    makeVariant('storage extended', { storage: 'extended' }),
    makeVariant('storage main', { storage: 'main' }),
    makeVariant('inline to 4 KB', { toastTupleTarget: 4_080 }),
    makeVariant('inline to 4 KB, fillfactor 60', { toastTupleTarget: 4_080, fillfactor: 60 }),
    makeVariant('metric as text', { metric: ['text', 'heart_rate_variability'] }),
    makeVariant('not compressed', { compression: compressionOf('none') }),
    makeVariant('zstd 1', { compression: compressionOf('zstd 1') }),
  ];
}

function makeVariant(name: string, change: Partial<Variant>): Variant {
  const table = `blocks_${name.toLowerCase().replaceAll(/\W/g, '_')}`;
  const layout = { hours: 6, fillfactor: 100, storage: 'external', toastTupleTarget: 2_040 } as const;
  return { ...layout, compression: compressionOf('deflate 1'), metric: ['smallint', 17], table, name, ...change };
}

function compressionOf(name: string): Compression {
  const found = COMPRESSIONS.find((compression) => compression.name === name);
  if (found === undefined) throw new Error(`unknown compression ${name}`);
  return found;
}

function present(runs: readonly Run[], { users, days, late }: Plan, databaseVersion: string, codecs: string): string {
  const rows = runs.flatMap(({ cadence, every, results }) =>
    results.map((result) => [`${cadence.name}, ${every}`, result.variant.name, ...describeResult(cadence, result)]),
  );
  const conditions = `${users} users, ${days} days, 4 connections, alternating by day; 1 % late by up to 3 days, ${late}, 0.2 % corrected`;
  const head = ['uploads', 'blocks', 'samples/s', 'ms/upload', 'blocks/upload', 'WAL B/sample', 'disk B/sample', 'aim'];
  const more = ['heap', 'index', 'toast', 'HOT', 'rows', '1 day ms', '7 days ms'];
  return [
    `${describeMachine()}, PostgreSQL ${databaseVersion}`,
    conditions,
    '',
    presentTable([...head, ...more], rows),
    '',
    'The codec without a database:',
    '',
    codecs,
    '',
  ].join('\n');
}

function describeResult({ name }: Cadence, result: MonthResult): string[] {
  const { heap, index, toast, total } = result.disk;
  return [
    Math.round(result.samplesPerSecond).toLocaleString('en'),
    result.uploadMs.toFixed(2),
    result.blocksPerUpload.toFixed(1),
    result.walPerSample.toFixed(2),
    total.toFixed(2),
    `≤ ${AIMS[name]}`,
    ...[heap, index, toast].map((bytes) => bytes.toFixed(2)),
    `${Math.round(result.hotShare * 100)} %`,
    result.rows.toLocaleString('en'),
    result.readDayMs.toFixed(2),
    result.readWeekMs.toFixed(2),
  ];
}
