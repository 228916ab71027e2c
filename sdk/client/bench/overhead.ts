// Measures reads through the client beside bare fetch of the same URL: the time of a call to the service, and the CPU time of the
// caller against a server that does nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Tributary } from '../src/index.ts';

/** Short rounds, so that other load on the machine and garbage collections affect all contestants alike. */
const ROUNDS = 400;
const QUICK_ROUNDS = 60;
const WARM_UP_ROUNDS = 25;
const CALLS = 40;
const CALLERS = 8;

/** 30 days of 40 metrics, as a daily read returns them. */
const SERVER = `
const dates = Array.from({ length: 30 }, (_, day) => new Date(Date.UTC(2026, 0, day + 1)).toISOString().slice(0, 10));
const series = Object.fromEntries(Array.from({ length: 40 }, (_, metric) => ['metric_' + metric, dates.map((_, day) => metric * day)]));
const body = JSON.stringify({ from_date: dates[0], to_date: dates[29], dates, series, units: {} });
const server = require('node:http').createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
`;

/** A running service, and a daily read of a user with data. */
export type ServiceRead = {
  readonly url: string;
  readonly key: string;
  readonly userId: string;
  readonly query: { readonly types: string[]; readonly from_date: string; readonly to_date: string };
};

type Measured = { readonly calls: number; readonly callers: number };
type Measure = (call: () => Promise<unknown>, measured: Measured) => Promise<number>;

export async function benchClient(options: readonly string[], service: ServiceRead): Promise<string> {
  const rounds = options.includes('--quick') ? QUICK_ROUNDS : ROUNDS;
  const child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = await once(child.stdout, 'data');
    const elapsed = await compare(contestantsFor(service), { rounds, calls: CALLS, callers: 1 }, elapsedMs);
    const bare = { ...service, url: `http://127.0.0.1:${port}` };
    const cpu = await compare(contestantsFor(bare), { rounds, calls: CALLS, callers: CALLERS }, cpuMs);
    return [
      `client: daily read of ${service.query.types.length} metrics and 30 days from the service, one caller, ${rounds} rounds of ${CALLS} calls, time on the clock, medians`,
      ...elapsed,
      `client: the same request to a server that does nothing else, ${CALLERS} callers, ${rounds} rounds of ${CALLS} calls, CPU time of the caller, medians`,
      ...cpu,
    ].join('\n');
  } finally {
    child.kill();
  }
}

type Name = 'bare' | 'control' | 'limited' | 'through';
type Contestants = Readonly<Record<Name, () => Promise<unknown>>>;

function contestantsFor({ url, key, userId, query }: ServiceRead): Contestants {
  const client = new Tributary({ baseUrl: url, apiKey: key, form: 2 });
  const headers = { authorization: `Bearer ${key}`, 'api-form': '2' };
  const { types, from_date, to_date } = query;
  const address = `${url}/v1/users/${userId}/daily?types=${types.join()}&from_date=${from_date}&to_date=${to_date}`;
  const bare = async () => (await fetch(address, { headers })).json();
  return {
    bare,
    // Bare fetch takes part twice: the second shows how far equal contestants differ in this run.
    control: () => bare(),
    limited: async () => (await fetch(address, { headers, signal: AbortSignal.timeout(30_000) })).json(),
    through: () => client.daily.get(userId, query),
  };
}

async function compare(
  contestants: Contestants,
  { rounds, ...measured }: Measured & { readonly rounds: number },
  measure: Measure,
): Promise<string[]> {
  const names = Object.keys(contestants) as Name[];
  const costs: Record<Name, number[]> = { bare: [], control: [], limited: [], through: [] };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1)
    for (const name of names) await measure(contestants[name], measured);
  for (let round = 0; round < rounds; round += 1)
    // By chance, so that the garbage of one contestant is not always collected in the time of the same next one.
    for (const name of shuffle(names)) costs[name].push(await measure(contestants[name], measured));
  const line = (title: string, name: Name) => {
    const micros = (median(costs[name]) * 1_000) / measured.calls;
    const ratio = median(costs[name].map((cost, round) => cost / (costs.bare[round] ?? cost)));
    return `  ${title.padEnd(28)} ${micros.toFixed(0).padStart(5)} µs per call, ${ratio.toFixed(3)} of bare fetch`;
  };
  return [
    line('bare fetch', 'bare'),
    line('bare fetch once more', 'control'),
    line('bare fetch with a time limit', 'limited'),
    line('client', 'through'),
  ];
}

function shuffle<Value>(values: readonly Value[]): Value[] {
  const keyed = values.map((value) => ({ value, key: Math.random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

async function elapsedMs(call: () => Promise<unknown>, measured: Measured): Promise<number> {
  const startedMs = performance.now();
  await repeat(call, measured);
  return performance.now() - startedMs;
}

/** Of this process: the time on the clock depends on what else the machine does. */
async function cpuMs(call: () => Promise<unknown>, measured: Measured): Promise<number> {
  const started = process.cpuUsage();
  await repeat(call, measured);
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

async function repeat(call: () => Promise<unknown>, { calls, callers }: Measured): Promise<void> {
  let left = calls;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (left-- > 0) await call();
    }),
  );
}
