// Attacks on the fair shares of accounts: each keeps one account's expensive calls in flight for a given time, and repeats
// every call as soon as it is answered, whatever the answer. Loopback only.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Where the attacker calls, and with which keys of its account. */
export type AttackTarget = {
  readonly url: string;
  readonly liveKey: string;
  readonly sandboxKey: string;
  /** A live user of the attacker's account with years of data. */
  readonly userId: string;
};

export type AttackOptions = { readonly seconds: number; readonly callers?: number };

/** How many answers of each status came back; `failed` counts connections without an answer. */
export type AttackReport = { readonly statuses: Readonly<Record<string, number>> };

export type Attack = (target: AttackTarget, options: AttackOptions) => Promise<AttackReport>;

type Call = { readonly method: string; readonly path: string; readonly key: string; readonly body?: unknown };

const CREATIONS_AT_ONCE = 30;
const PREVIEWS_AT_ONCE = 24;
const OTHERS_AT_ONCE = 64;
/** A refused caller does not spin: a hostile client that pauses this long still sends 100 calls per second and connection. */
const PAUSE_MS = 10;

export const attackWithSandboxCreations: Attack = (target, { seconds, callers = CREATIONS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, () => ({
    method: 'POST',
    path: '/v1/users',
    key: target.sandboxKey,
    body: { reference_id: randomUUID(), timezone: 'Europe/Berlin' },
  }));

export const attackWithPreviews: Attack = (target, { seconds, callers = PREVIEWS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, () => ({
    method: 'PATCH',
    path: `/v1/users/${target.userId}/consolidation?preview=true`,
    key: target.liveKey,
    body: { metrics: { steps: { method: 'max' } } },
  }));

/** Every change enqueues a rebuild of all days. */
export const attackWithRebuilds: Attack = (target, { seconds, callers = OTHERS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, (count) => ({
    method: 'PATCH',
    path: `/v1/users/${target.userId}/consolidation`,
    key: target.liveKey,
    body: { metrics: { steps: { method: count % 2 === 0 ? 'max' : 'avg' } } },
  }));

export const attackWithDailyReads: Attack = (target, { seconds, callers = OTHERS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, (count) => ({
    method: 'GET',
    path: `/v1/users/${target.userId}/daily?from_date=2025-03-${pad(1 + (count % 28))}&to_date=2026-02-27&include_sources=true`,
    key: target.liveKey,
  }));

export const attackWithTimeseries: Attack = (target, { seconds, callers = OTHERS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, (count) => ({
    method: 'GET',
    path: `/v1/users/${target.userId}/timeseries?metrics=heart_rate,steps,active_calories&start_date=2025-04-01&end_date=2025-04-${pad(1 + (count % 30))}`,
    key: target.liveKey,
  }));

export const attackWithExplains: Attack = (target, { seconds, callers = OTHERS_AT_ONCE }) =>
  repeatCalls(target, { seconds, callers }, (count) => ({
    method: 'GET',
    path: `/v1/users/${target.userId}/daily/explain?metric=steps&date=2025-04-${pad(1 + (count % 30))}`,
    key: target.liveKey,
  }));

export const READ_ATTACKS: Readonly<Record<string, Attack>> = {
  'sandbox creations': attackWithSandboxCreations,
  previews: attackWithPreviews,
  rebuilds: attackWithRebuilds,
  'daily reads': attackWithDailyReads,
  timeseries: attackWithTimeseries,
  explains: attackWithExplains,
};

export type HangingEndpoints = { readonly openRequests: () => number; close(): Promise<void> };

/** Registers endpoints that accept a delivery and never answer: `perAccount` for the given keys, split between them. */
export async function attackWithHangingEndpoints(
  url: string,
  keys: readonly { readonly live: string; readonly sandbox: string }[],
  perAccount: number,
): Promise<HangingEndpoints> {
  const open = new Set<object>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1', 4_096);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const agent = new Agent({ keepAlive: true });
  for (const { live, sandbox } of keys)
    for (let index = 0; index < perAccount; index += 1) {
      const body = { url: `http://127.0.0.1:${port}/${index}`, events: ['*'] };
      const key = index % 2 === 0 ? live : sandbox;
      const status = await send(agent, url, { method: 'POST', path: '/v1/webhooks', key, body });
      if (status !== 201) throw new Error(`creating a webhook answered ${status}`);
    }
  agent.destroy();
  return {
    openRequests: () => open.size,
    async close() {
      for (const socket of open) (socket as { destroy(): void }).destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function pad(day: number): string {
  return String(day).padStart(2, '0');
}

async function repeatCalls(
  { url }: AttackTarget,
  { seconds, callers }: Required<AttackOptions>,
  nextCall: (count: number) => Call,
): Promise<AttackReport> {
  const statuses: Record<string, number> = {};
  const agent = new Agent({ keepAlive: true });
  const endMs = performance.now() + seconds * 1_000;
  let count = 0;
  const repeat = async () => {
    while (performance.now() < endMs) {
      const status = String(await send(agent, url, nextCall(count++)).catch(() => 'failed'));
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (!status.startsWith('2')) await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: callers }, repeat));
  agent.destroy();
  return { statuses };
}

function send(agent: Agent, url: string, { method, path, key, body }: Call): Promise<number> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${key}`,
    ...(payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
  };
  return new Promise((resolve, reject) => {
    const call = request(url + path, { method, agent, headers }, (response) => {
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.resume();
    });
    call.on('error', reject);
    call.end(payload);
  });
}
