// Attacks on the fair shares of accounts: each keeps one account's expensive calls in flight for a given time, and repeats
// every call as soon as it is answered, whatever the answer. Loopback only.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { makeUploadBody } from '../ingest/device-day.ts';

/** Where the attacker calls, and with which keys of its account. */
export type AttackTarget = {
  readonly url: string;
  readonly liveKey: string;
  readonly sandboxKey: string;
  /** A live user of the attacker's account with years of data. */
  readonly userId: string;
  /** Of SDK sessions of users of that account. */
  readonly sdkTokens: readonly string[];
};

export type AttackOptions = { readonly seconds: number; readonly callers?: number };

/** How many answers of each status came back; `failed` counts connections without an answer. */
export type AttackReport = { readonly statuses: Readonly<Record<string, number>> };

export type Attack = (target: AttackTarget, options: AttackOptions) => Promise<AttackReport>;

type Call = { readonly method: string; readonly path: string; readonly key: string; readonly body?: unknown };

const CREATIONS_AT_ONCE = 30;
const PREVIEWS_AT_ONCE = 24;
const OTHERS_AT_ONCE = 64;
const UPLOADED_DAYS = 40;
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

/** Each phone sends days of samples, one after the other. */
export const attackWithUploads: Attack = (target, { seconds, callers = target.sdkTokens.length }) => {
  const bodies = Array.from({ length: UPLOADED_DAYS }, (_, day) => makeUploadBody(day));
  return repeatCalls(target, { seconds, callers }, (count) => ({
    method: 'POST',
    path: '/v1/sdk/uploads',
    key: target.sdkTokens[count % target.sdkTokens.length] ?? '',
    body: bodies[Math.floor(count / target.sdkTokens.length) % UPLOADED_DAYS],
  }));
};

export const READ_ATTACKS: Readonly<Record<string, Attack>> = {
  'sandbox creations': attackWithSandboxCreations,
  previews: attackWithPreviews,
  rebuilds: attackWithRebuilds,
  'daily reads': attackWithDailyReads,
  timeseries: attackWithTimeseries,
  explains: attackWithExplains,
  uploads: attackWithUploads,
};

export type HangingEndpoints = { countOpen(): number; close(): Promise<void> };

/** Each has more deliveries than one run of the benchmark lasts: an attempt hangs for 15 s. */
const DELIVERIES_EACH = 4;
/** What the rate limit of a key refills in the meantime. */
const REFUSED_PAUSE_MS = 50;

/** Registers endpoints that take a delivery and never answer, half of an account's in each environment, and sends to all of them. */
export async function attackWithHangingEndpoints(
  url: string,
  accounts: readonly { readonly live: string; readonly sandbox: string }[],
  perAccount: number,
): Promise<HangingEndpoints> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1', 4_096);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const keys = accounts.flatMap(({ live, sandbox }) => [live, sandbox]);
  await Promise.all(
    keys.map(async (key) => {
      for (let index = 0; index < perAccount / 2; index += 1) {
        const body = { url: `http://127.0.0.1:${port}/${index}`, events: ['*'] };
        const made = await callUntilTaken(url, { method: 'POST', path: '/v1/webhooks', key, body });
        const { id } = (JSON.parse(made) as { data: { id: string } }).data;
        for (let count = 0; count < DELIVERIES_EACH; count += 1)
          await callUntilTaken(url, { method: 'POST', path: `/v1/webhooks/${id}/test`, key, body: {} });
      }
    }),
  );
  return {
    countOpen: () => open.size,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function callUntilTaken(url: string, call: Call): Promise<string> {
  for (;;) {
    const { status, text } = await send(undefined, url, call);
    if (status < 300) return text;
    if (status !== 429) throw new Error(`${call.method} ${call.path} answered ${status}: ${text}`);
    await delay(REFUSED_PAUSE_MS);
  }
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
      const { status } = await send(agent, url, nextCall(count++)).catch(() => ({ status: 'failed' }));
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (!String(status).startsWith('2')) await delay(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: callers }, repeat));
  agent.destroy();
  return { statuses };
}

function send(
  agent: Agent | undefined,
  url: string,
  { method, path, key, body }: Call,
): Promise<{ readonly status: number; readonly text: string }> {
  const payload = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${key}`,
    ...(payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
  };
  return new Promise((resolve, reject) => {
    const call = request(url + path, { method, headers, ...(agent && { agent }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    });
    call.on('error', reject);
    call.end(payload);
  });
}
