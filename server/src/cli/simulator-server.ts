// Serves the simulator on a local port.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../platform/errors.ts';
import type { RawReply, RawRequest } from '../platform/http/raw-route.ts';
import { readBytes } from '../platform/http/read-bytes.ts';
import { http } from '../platform/node-http.ts';
import { ANYWHERE, createOutbound } from '../platform/outbound/index.ts';
import { createSimulator, type SendPush, type Simulator, type SimulatorOptions } from '../simulator/index.ts';
import { listenLocally } from './local-port.ts';

const MAX_BODY_BYTES = 1_048_576;
const BODY_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_MS = 72_000; // as the API: a client that was busy for some seconds must not meet a closed connection

export type ServedSimulator = {
  readonly simulator: Simulator;
  /** Without a trailing slash. */
  readonly url: string;
  close(): Promise<void>;
};

type ServeOptions = Pick<SimulatorOptions, 'key' | 'redirectUris' | 'webhookUrlOf' | 'now'> & {
  readonly port: number;
  readonly wait?: (ms: number) => Promise<void>;
  onAnswer?(request: RawRequest, status: number): void;
};

export async function serveSimulator({
  port,
  onAnswer,
  wait = delay,
  ...options
}: ServeOptions): Promise<ServedSimulator> {
  // Private addresses are allowed, because only the developer can reach this port.
  const outbound = createOutbound(ANYWHERE);
  const send: SendPush = async ({ method, url, headers, body }) => {
    const answer = await outbound.request(method, url, { headers, ...(method === 'POST' && { body }) });
    return answer.ok ? { status: answer.status, body: answer.body.toString() } : null;
  };
  const started = Promise.withResolvers<Simulator>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const simulator = await started.promise;
    const raw = await readRequest(request);
    const reply = await simulator.answer(raw);
    onAnswer?.(raw, reply.status);
    writeReply(response, reply);
  };
  const server = http.createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      const status = error instanceof AppError ? 413 : 500;
      if (!response.headersSent) writeReply(response, { status, body: `${error}\n` });
    });
  });
  const url = `http://127.0.0.1:${await listenLocally(server, port)}`;
  const simulator = createSimulator({ ...options, baseUrl: url, isControllable: true, send, wait });
  started.resolve(simulator);
  return {
    simulator,
    url,
    async close() {
      server.closeAllConnections();
      server.close();
      await Promise.all([once(server, 'close'), outbound.close()]);
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<RawRequest> {
  const [path = '', query = ''] = (request.url ?? '').split(/\?(.*)/s, 2);
  const headers = Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
  return {
    method: request.method ?? '',
    path,
    params: {},
    query: new URLSearchParams(query),
    headers: Object.fromEntries(headers),
    body: await readBytes(request, { bytes: MAX_BODY_BYTES, timeMs: BODY_TIMEOUT_MS }),
  };
}

function writeReply(response: ServerResponse, { status, headers = {}, body = '' }: RawReply): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
}
