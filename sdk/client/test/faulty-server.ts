// A server on this machine that answers as a test asks, and records requests.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
export type Answering = (response: ServerResponse, received: Received) => void;

export type FaultyServer = {
  readonly url: string;
  readonly received: Received[];
  /** For the next requests, in order; the last one stays. */
  answer(...answers: Answering[]): void;
};

export async function startFaultyServer(t: TestContext): Promise<FaultyServer> {
  const received: Received[] = [];
  let answers: Answering[] = [];
  const server = createServer(async (request, response) => {
    const one = await readRequest(request);
    received.push(one);
    const answering = answers.length > 1 ? answers.shift() : answers[0];
    answering?.(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (...given) => {
      answers = given;
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = '', url = '', headers } = request;
  return { method, path: url, headers, body: Buffer.concat(chunks).toString() };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answering {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function error(status: number, code: string, headers: Record<string, string> = {}): Answering {
  return json(status, { error: code, message: `It is ${code}.`, details: {} }, { 'x-request-id': 'req_1', ...headers });
}

/** The request was received, the answer is lost. */
export const lose: Answering = (response) => response.destroy();
/** Half of the answer arrives. */
export const breakOff: Answering = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"data":');
  setImmediate(() => response.destroy());
};
/** No answer, ever. */
export const hang: Answering = () => undefined;
