// Measures the deliveries of an account that takes no part in the attack, from the call that triggers one to its arrival.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../support/statistics.ts';

export type DeliveryTimes = {
  readonly sent: number;
  readonly arrived: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
};

const INTERVAL_MS = 100;
const LAST_WAIT_MS = 20_000; // deliveries that have not arrived by then count as this late

/** An endpoint that responds at once and gets ten deliveries per second. */
export async function measureDeliveries(url: string, key: string, seconds: number): Promise<DeliveryTimes> {
  const arrivals = new Map<string, number>();
  const server = createServer((incoming, response) => {
    arrivals.set(String(incoming.headers['webhook-id']), performance.now());
    incoming.resume();
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const made = await post(url, key, '/v1/webhooks', { url: `http://127.0.0.1:${port}/`, events: ['*'] });
  const { id } = (made as { data: { id: string } }).data;
  const sentMs: [eventId: string, atMs: number][] = [];
  const startMs = performance.now();
  for (let index = 0; index * INTERVAL_MS < seconds * 1_000; index += 1) {
    await delay(Math.max(0, startMs + index * INTERVAL_MS - performance.now()));
    const atMs = performance.now();
    const sent = (await post(url, key, `/v1/webhooks/${id}/test`, {})) as { data: { event_id: string } };
    sentMs.push([sent.data.event_id, atMs]);
  }
  const endMs = performance.now() + LAST_WAIT_MS;
  while (performance.now() < endMs && !sentMs.every(([event]) => arrivals.has(event))) await delay(INTERVAL_MS);
  server.closeAllConnections();
  server.close();
  const times = sentMs.map(([event, atMs]) => (arrivals.get(event) ?? performance.now()) - atMs);
  const sorted = times.sort((a, b) => a - b);
  return {
    sent: sentMs.length,
    arrived: sentMs.filter(([event]) => arrivals.has(event)).length,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    maxMs: quantile(sorted, 1),
  };
}

function post(url: string, key: string, path: string, body: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const call = request(url + path, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(text));
        else reject(new Error(`POST ${path} answered ${response.statusCode}: ${text}`));
      });
    });
    call.on('error', reject);
    call.end(JSON.stringify(body));
  });
}
