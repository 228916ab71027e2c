// Benchmarks cloud sync: years of ring data mapped and committed per minute, the latency of webhooks at 200 per second, and the
// mapping of every connector.

import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { MINUTE_MS } from '../src/domain/time/durations.ts';
import { OWNER_ROLE } from '../src/platform/embedded-postgres/ensure-roles.ts';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';
import { readProfileFlags } from './support/read-option.ts';
import { median, quantile } from './support/statistics.ts';
import { benchMappings } from './sync/map-fixtures.ts';
import type { IngestResult, WebhookFacts } from './sync/service-child.ts';

type Size = { readonly rounds: number; readonly users: number; readonly seconds: number; readonly mappingMs: number };
const FULL: Size = { rounds: 3, users: 8, seconds: 20, mappingMs: 2_000 };
const QUICK: Size = { rounds: 1, users: 4, seconds: 5, mappingMs: 300 };
const AIMS = { yearsAMinute: 50, p99Ms: 50 } as const;
const PUSHES_A_SECOND = 200;

/** `--profile=FOLDER` writes a CPU profile of the service to that folder. */
export async function benchSync(options: readonly string[]): Promise<string> {
  const { rounds, users, seconds, mappingMs } = options.includes('--quick') ? QUICK : FULL;
  const nodeFlags = readProfileFlags(options);
  const start = async () => {
    const child = await startBenchChild(join(import.meta.dirname, 'sync', 'service-child.ts'), { nodeFlags });
    children.push(child);
    await child.call('start');
    return child;
  };
  const children: BenchChild[] = [];
  try {
    const fetching = await start();
    await fetching.call('ingest', { users: 1 }); // builds the pages and warms up the JIT compiler
    const results: IngestResult[] = [];
    for (let round = 0; round < rounds; round += 1) results.push(await fetching.call('ingest', { users }));
    await fetching.end();
    const years = results.map(({ wallMs }) => (users * MINUTE_MS) / wallMs);
    const databaseMs = results.flatMap(({ databaseCpuMs }) => (databaseCpuMs === null ? [] : [databaseCpuMs / users]));
    const [first] = results;
    const receiving = await start();
    const facts = await receiving.call<WebhookFacts>('webhook');
    await push(seconds, facts); // warms up
    const pushed = await push(seconds, facts);
    const bare = await insertBare(seconds, await receiving.call<pg.PoolConfig>('pool'), facts);
    const samplesAYear = Math.round((first?.samples ?? 0) / users);
    const megabytesAYear = ((first?.bytes ?? 0) / users / 1e6).toFixed(0);
    return [
      `${rounds} rounds of ${users} users with one year each: ${samplesAYear.toLocaleString('en')} samples in ${megabytesAYear} MB of ${Math.round((first?.requests ?? 0) / users)} pages. ${describeMachine()}`,
      '',
      presentTable(
        ['', 'device-years/min', 'rounds', 'ms/year', 'CPU ms/year: service', 'database', 'transactions/year', 'aim'],
        [
          [
            'recorded pages to canonical values',
            median(years).toFixed(1),
            `${Math.min(...years).toFixed(1)}–${Math.max(...years).toFixed(1)}`,
            (MINUTE_MS / median(years)).toFixed(0),
            median(results.map(({ cpuMs }) => cpuMs / users)).toFixed(0),
            databaseMs.length === 0 ? '?' : median(databaseMs).toFixed(0),
            median(results.map(({ transactions }) => transactions / users)).toFixed(0),
            `≥ ${AIMS.yearsAMinute}`,
          ],
        ],
      ),
      '',
      presentTable(
        [`${PUSHES_A_SECOND} per second`, 'answered', 'p50 ms', 'p99 ms', 'most', 'aim'],
        [
          rowOf('provider webhooks, acknowledged', pushed, `p99 < ${AIMS.p99Ms}`),
          rowOf('bare insert of the same body', bare, ''),
        ],
      ),
      '',
      benchMappings(mappingMs, AIMS.yearsAMinute),
    ].join('\n');
  } finally {
    for (const child of children) await child.end();
  }
}

/** Sends each at its scheduled time, even while earlier ones are pending. Latencies in ms, ascending. */
async function paced(seconds: number, work: () => Promise<void>): Promise<Float64Array> {
  const total = seconds * PUSHES_A_SECOND;
  const latencies = new Float64Array(total);
  const startMs = performance.now();
  const calls: Promise<void>[] = [];
  for (let index = 0; index < total; index += 1) {
    const dueMs = startMs + (index * 1_000) / PUSHES_A_SECOND;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await delay(waitMs);
    const call = async () => {
      const beganMs = performance.now();
      await work();
      latencies[index] = performance.now() - beganMs;
    };
    calls.push(call());
  }
  await Promise.all(calls);
  return latencies.sort();
}

function push(seconds: number, { url, body, headers }: WebhookFacts): Promise<Float64Array> {
  return paced(seconds, async () => {
    const response = await fetch(url, { method: 'POST', body, headers });
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`a provider webhook got status ${response.status}`);
  });
}

async function insertBare(seconds: number, config: pg.PoolConfig, { body }: WebhookFacts): Promise<Float64Array> {
  const pool = new pg.Pool({ ...config, user: OWNER_ROLE, max: 8 }); // the role of the service may not create a table
  await pool.query('create table bare_webhooks (id bigserial primary key, body bytea not null)');
  const bytes = Buffer.from(body);
  try {
    return await paced(seconds, async () => {
      await pool.query({ name: 'bare', text: 'insert into bare_webhooks (body) values ($1)', values: [bytes] });
    });
  } finally {
    await pool.end();
  }
}

function rowOf(name: string, latencies: Float64Array, aim: string): string[] {
  const ms = (share: number) => quantile(latencies, share).toFixed(1);
  return [name, String(latencies.length), ms(0.5), ms(0.99), ms(1), aim];
}
