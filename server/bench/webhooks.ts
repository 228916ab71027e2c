// Benchmarks deliveries to a receiver on this machine against a bare POST loop of the same bodies, and measures the time from
// an event to its first attempt while uploads run.
import { join } from 'node:path';
import { type BenchChild, startBenchChild } from './support/bench-child.ts';
import { describeMachine } from './support/describe-machine.ts';
import { presentTable } from './support/present-table.ts';
import { readProfileFlags } from './support/read-option.ts';
import { median, quantile } from './support/statistics.ts';
import type { DeliveryFacts } from './webhooks/service-child.ts';

type Size = { readonly rounds: number; readonly events: number; readonly seconds: number };

const ENDPOINTS = 8;
const CONNECTIONS = 64; // eight parallel requests per endpoint, each on its own connection
const PHONES = 16;
const FULL: Size = { rounds: 5, events: 2_500, seconds: 20 };
const QUICK: Size = { rounds: 2, events: 1_000, seconds: 4 };
const AIM = 0.5;

/** `--quick` takes a few seconds and prints no verdict. `--profile=FOLDER` writes a CPU profile of the service there. */
export async function benchWebhooks(options: readonly string[]): Promise<string> {
  const size = options.includes('--quick') ? QUICK : FULL;
  const children: BenchChild[] = [];
  const start = async (file: string, nodeFlags: string[] = []) => {
    const child = await startBenchChild(join(import.meta.dirname, 'webhooks', file), { nodeFlags });
    children.push(child);
    return child;
  };
  try {
    const sink = await start('sink-child.ts');
    const port = await sink.call<number>('start');
    const service = await start('service-child.ts', readProfileFlags(options));
    const facts = await service.call<DeliveryFacts>('start', { port, endpoints: ENDPOINTS, phones: PHONES });
    const bare = await start('post-child.ts');
    const rates = await measureRates({ sink, service, bare }, port, size);
    const uploads = await start('upload-child.ts');
    const delays = await measureDelays({ sink, service, uploads }, facts, size);
    return present(rates, delays, size, facts.databaseVersion);
  } finally {
    for (const child of children.reverse()) await child.end();
  }
}

type Rates = {
  readonly deliveries: number[];
  readonly posts: number[];
  readonly cpuMs: number[];
  readonly bareCpuMs: number[];
};

async function measureRates(
  { sink, service, bare }: Record<'sink' | 'service' | 'bare', BenchChild>,
  port: number,
  { rounds, events }: Size,
): Promise<Rates> {
  const rates: Rates = { deliveries: [], posts: [], cpuMs: [], bareCpuMs: [] };
  for (let round = -1; round < rounds; round += 1) {
    const bodies = await service.call<string[]>('prepare', { events });
    await sink.call('reset');
    const cpuBefore = await service.readCpuSeconds();
    const startMs = Date.now();
    void service.call('release');
    const endMs = await sink.call<number>('wait', events * ENDPOINTS);
    const cpu = (await service.readCpuSeconds()) - cpuBefore;
    await awaitSettled(service);
    const bareBefore = await bare.readCpuSeconds();
    const posts = await bare.call<number>('run', { port, bodies, endpoints: ENDPOINTS, connections: CONNECTIONS });
    if (round < 0) continue; // warm-up round
    rates.deliveries.push((events * ENDPOINTS) / ((endMs - startMs) / 1000));
    rates.posts.push(posts);
    const bareCpu = (await bare.readCpuSeconds()) - bareBefore;
    rates.bareCpuMs.push((bareCpu * 1000) / (events * ENDPOINTS));
    rates.cpuMs.push((cpu * 1000) / (events * ENDPOINTS));
  }
  return rates;
}

async function awaitSettled(service: BenchChild): Promise<void> {
  while ((await service.call<number>('countWaiting')) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

type Delays = { readonly sorted: readonly number[]; readonly uploadsPerSecond: number };

async function measureDelays(
  { sink, service, uploads }: Record<'sink' | 'service' | 'uploads', BenchChild>,
  { url, tokens }: DeliveryFacts,
  { seconds }: Size,
): Promise<Delays> {
  await sink.call('reset');
  const since = new Date().toISOString();
  const count = await uploads.call<number>('run', { url, tokens, seconds });
  await awaitSettled(service);
  const events = await service.call<[string, number][]>('readEvents', { since });
  const { firstSeenMs } = await sink.call<{ firstSeenMs: [string, number][] }>('read');
  const seen = new Map(firstSeenMs);
  const delays = events.map(([id, atMs]) => (seen.get(id) ?? Number.POSITIVE_INFINITY) - atMs);
  return { sorted: delays.sort((a, b) => a - b), uploadsPerSecond: count / seconds };
}

function present({ deliveries, posts, cpuMs, bareCpuMs }: Rates, delays: Delays, size: Size, version: string): string {
  const ratios = deliveries.map((rate, round) => rate / (posts[round] ?? 0));
  const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  const rows = [
    ['deliveries', format(median(deliveries)), median(ratios).toFixed(2), spread, median(cpuMs).toFixed(3)],
    ['(a) bare undici POST', format(median(posts)), '1.00', '', median(bareCpuMs).toFixed(3)],
  ];
  const at = (share: number) => Math.round(quantile(delays.sorted, share)).toLocaleString('en');
  const times = [
    ['event to first attempt, ms', format(delays.sorted.length), at(0.5), at(0.99), at(1), '< 1,000 at p99'],
  ];
  const conditions = `${ENDPOINTS} endpoints on one receiver, ${CONNECTIONS} connections, ${size.rounds} rounds of ${format(size.events * ENDPOINTS)} deliveries alternating, medians; CPU of the service, or of the client of (a); aim ${AIM} of (a)`;
  const second = `${PHONES} phones upload 60 samples each at ${Math.round(delays.uploadsPerSecond)}/s for ${size.seconds} s; from the event's own timestamp, which is before its commit, to the receiver; each event goes to ${ENDPOINTS} endpoints`;
  return [
    `${describeMachine()}, ${version}`,
    conditions,
    '',
    presentTable(['', 'per second', 'of (a)', 'rounds', 'CPU ms each'], rows),
    '',
    second,
    '',
    presentTable(['', 'events', 'p50', 'p99', 'most', 'aim'], times),
    '',
  ].join('\n');
}

function format(value: number): string {
  return Math.round(value).toLocaleString('en');
}
