// Attacks with small calls: without a credential, with one that does not exist, or many on a connection at once.
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { mintToken } from '../../src/platform/crypto/opaque-token.ts';
import { type Attack, type Call, repeatCalls } from './attack.ts';

const CALLERS = 64;

const flood =
  (nextCall: () => Omit<Call, 'method' | 'key'> & Partial<Call>): Attack =>
  (target, { seconds, callers = CALLERS }) =>
    repeatCalls(target, { seconds, callers }, () => ({ method: 'GET', key: null, ...nextCall() }));

const PIPES = 20;
const PIPELINED_CALLS = 500;
const STATUS_LINE = /HTTP\/1\.1 (\d{3}) /g;

/** Calls that do not wait for the responses, on connections that are opened again when the service closes them. */
const pipeline: Attack = async ({ url, liveKey, userId }, { seconds, callers = PIPES }) => {
  const call = `GET /v1/users/${userId} HTTP/1.1\r\nhost: attacked\r\nauthorization: Bearer ${liveKey}\r\n\r\n`;
  const calls = call.repeat(PIPELINED_CALLS);
  const { hostname, port } = new URL(url);
  const endMs = performance.now() + seconds * 1_000;
  const statuses: Record<string, number> = {};
  const count = (status: string) => {
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const isOver = () => performance.now() >= endMs;
  const fill = async (socket: Socket) => {
    while (!isOver() && !socket.destroyed) if (!socket.write(calls)) await once(socket, 'drain');
  };
  const attack = async () => {
    while (!isOver()) {
      const socket = connect(Number(port), hostname);
      const closed = once(socket, 'close').catch(() => undefined);
      socket.on('error', () => count('closed'));
      socket.on('data', (bytes) => {
        for (const [, status] of bytes.toString('latin1').matchAll(STATUS_LINE)) count(String(status));
      });
      await Promise.race([fill(socket).catch(() => undefined), closed]);
      socket.destroy();
      await closed;
    }
  };
  await Promise.all(Array.from({ length: callers }, attack));
  return { statuses };
};

export const LOOKUP_ATTACKS: Readonly<Record<string, Attack>> = {
  'unknown API keys': flood(() => ({ path: '/v1/users', key: mintToken('sk_live_') })),
  readiness: flood(() => ({ path: '/readyz' })),
  'pipelined calls': pipeline,
  'provider webhooks': flood(() => ({
    method: 'POST',
    path: `/provider-webhooks/oura/${randomUUID()}/${randomBytes(32).toString('base64url')}`,
    body: Buffer.alloc(100_000, 0x20),
  })),
  simulator: flood(() => ({
    method: 'POST',
    path: '/simulator/oura/oauth/token',
    body: Buffer.from(`grant_type=authorization_code&code=${randomUUID()}`),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })),
};
