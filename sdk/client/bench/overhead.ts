// Measures reads through the client beside bare fetch of the same URL, against a server in a process of its own.
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

export async function benchClient(options: readonly string[]): Promise<string> {
  const rounds = options.includes('--quick') ? QUICK_ROUNDS : ROUNDS;
  const child = spawn(process.execPath, ['-e', SERVER], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = await once(child.stdout, 'data');
    return await measure(`http://127.0.0.1:${port}`, rounds);
  } finally {
    child.kill();
  }
}

async function measure(url: string, rounds: number): Promise<string> {
  const client = new Tributary({ baseUrl: url, apiKey: 'sk_test', form: 2 });
  const headers = { authorization: 'Bearer sk_test', 'api-form': '2' };
  const bare = async () => (await fetch(`${url}/v1/users/u1/daily?types=steps`, { headers })).json();
  const limited = async () => {
    const signal = AbortSignal.timeout(30_000);
    return (await fetch(`${url}/v1/users/u1/daily?types=steps`, { headers, signal })).json();
  };
  const through = () => client.daily.get('u1', { types: ['steps'] });
  // Bare fetch takes part twice: the second shows how far equal contestants differ in this run.
  const contestants = { bare, control: () => bare(), limited, through };
  type Name = keyof typeof contestants;
  const names = Object.keys(contestants) as Name[];
  const costs: Record<Name, number[]> = { bare: [], control: [], limited: [], through: [] };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) for (const name of names) await time(contestants[name]);
  for (let round = 0; round < rounds; round += 1)
    // By chance, so that the garbage of one contestant is not always collected in the time of the same next one.
    for (const name of shuffle(names)) costs[name].push(await time(contestants[name]));
  const line = (title: string, name: Name) => {
    const micros = (median(costs[name]) * 1_000) / CALLS;
    const ratio = median(costs[name].map((cost, round) => cost / (costs.bare[round] ?? cost)));
    return `  ${title.padEnd(28)} ${micros.toFixed(0).padStart(4)} µs per call, ${ratio.toFixed(3)} of bare fetch`;
  };
  return [
    `client: daily read of 40 metrics and 30 days, ${CALLERS} callers, ${rounds} rounds of ${CALLS} calls, CPU time, medians`,
    line('bare fetch', 'bare'),
    line('bare fetch once more', 'control'),
    line('bare fetch with a time limit', 'limited'),
    line('client', 'through'),
  ].join('\n');
}

function shuffle<Value>(values: readonly Value[]): Value[] {
  const keyed = values.map((value) => ({ value, key: Math.random() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** CPU time of this process in ms: the time on the clock depends on what else the machine does. */
async function time(call: () => Promise<unknown>): Promise<number> {
  const started = process.cpuUsage();
  let left = CALLS;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (left-- > 0) await call();
    }),
  );
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}
