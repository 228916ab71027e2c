// Code shared by all attacks: their target and the loop that repeats calls. Loopback only.
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** The URL the attacker calls and the keys of its account. */
export type AttackTarget = {
  readonly url: string;
  readonly liveKey: string;
  readonly sandboxKey: string;
  /** A live user of the attacker's account with years of data. */
  readonly userId: string;
  /** Tokens of SDK sessions of that account's users. */
  readonly sdkTokens: readonly string[];
};

export type AttackOptions = { readonly seconds: number; readonly callers?: number };

/** The number of responses per status; `failed` counts connections without a response. */
export type AttackReport = { readonly statuses: Readonly<Record<string, number>> };

export type Attack = (target: AttackTarget, options: AttackOptions) => Promise<AttackReport>;

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly key: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A rejected caller pauses: with this pause a hostile client still sends 100 calls per second on each connection. */
const PAUSE_MS = 10;

export async function repeatCalls(
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

export function send(
  agent: Agent | undefined,
  url: string,
  { method, path, key, body, headers: others }: Call,
): Promise<{ readonly status: number; readonly text: string }> {
  const payload = body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const headers = {
    ...(key !== null && { authorization: `Bearer ${key}` }),
    ...(payload && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
    ...others,
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
