// Measures reads through the client beside bare fetch of the same URL, against a server in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Tributary } from '../src/index.ts';

const ROUNDS = 15;
const CALLS = 400;
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
  const rounds = options.includes('--quick') ? 5 : ROUNDS;
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
  const through = () => client.daily.get('u1', { types: ['steps'] });
  const limited = async () => {
    const signal = AbortSignal.timeout(30_000);
    return (await fetch(`${url}/v1/users/u1/daily?types=steps`, { headers, signal })).json();
  };
  const contestants = { bare, limited, through };
  const costs: Record<keyof typeof contestants, number[]> = { bare: [], limited: [], through: [] };
  for (const call of Object.values(contestants)) await time(call);
  // Alternating, so that other load on the machine affects all of them.
  for (let round = 0; round < rounds; round += 1)
    for (const [name, call] of Object.entries(contestants)) costs[name as keyof typeof costs].push(await time(call));
  const micros = (name: keyof typeof costs) => (median(costs[name]) * 1_000) / CALLS;
  const ratioTo = (name: keyof typeof costs) =>
    median(costs.through.map((cost, round) => cost / (costs[name][round] ?? cost))).toFixed(3);
  return [
    `client: daily read of 40 metrics and 30 days, ${CALLERS} callers, ${rounds} alternating rounds of ${CALLS} calls, CPU time`,
    `  bare fetch                       ${micros('bare').toFixed(0)} µs per call; the client takes ${ratioTo('bare')} of it`,
    `  bare fetch with a time limit     ${micros('limited').toFixed(0)} µs per call; the client takes ${ratioTo('limited')} of it`,
    `  client                           ${micros('through').toFixed(0)} µs per call`,
  ].join('\n');
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
