// Measures the reads of an account that takes no part in the attack. Reads start at a fixed interval, even while earlier ones
// are pending, so that a stall counts for every read it delays.
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../support/statistics.ts';

type ReadTimes = {
  readonly count: number;
  readonly refused: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

const INTERVAL_MS = 20; // 50 reads per second: half the rate limit of a key

export async function measureReads(
  url: string,
  { key, userId }: { readonly key: string; readonly userId: string },
  seconds: number,
): Promise<ReadTimes> {
  const agent = new Agent({ keepAlive: true });
  const reads: Promise<{ status: number; ms: number }>[] = [];
  const startMs = performance.now();
  for (let index = 0; index * INTERVAL_MS < seconds * 1_000; index += 1) {
    await delay(Math.max(0, startMs + index * INTERVAL_MS - performance.now()));
    reads.push(read(agent, `${url}/v1/users/${userId}`, key));
  }
  const answered = await Promise.all(reads);
  agent.destroy();
  const sorted = answered.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    count: sorted.length,
    refused: answered.filter(({ status }) => status !== 200).length,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    maxMs: quantile(sorted, 1),
  };
}

function read(agent: Agent, url: string, key: string): Promise<{ status: number; ms: number }> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers: { authorization: `Bearer ${key}` } }, (response) => {
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - startMs }));
      response.resume();
    });
    call.on('error', reject);
    call.end();
  });
}
