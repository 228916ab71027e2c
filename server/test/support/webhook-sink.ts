// A webhook receiver on this machine whose responses a test sets, and which records requests.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { KEPT_OPEN } from './kept-open.ts';
import { waitUntil } from './wait-until.ts';

export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly atMs: number;
};
export type Answering = (response: ServerResponse, received: Received) => void;

export type WebhookSink = {
  readonly received: Received[];
  url(path: string): string;
  /** From now on, for that path; 204 otherwise. */
  answer(path: string, answering: Answering | number): void;
  at(path: string): Received[];
  /** Waits for `count` requests to that path and returns them. */
  wait(path: string, count: number, limitMs?: number): Promise<Received[]>;
  close(): Promise<void>;
};

export async function startSink(): Promise<WebhookSink> {
  const received: Received[] = [];
  const answers = new Map<string, Answering>();
  const server = createServer(KEPT_OPEN, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const got = { path, headers: request.headers, body: Buffer.concat(chunks).toString(), atMs: performance.now() };
      received.push(got);
      const answering = answers.get(path);
      if (answering) answering(response, got);
      else response.writeHead(204).end();
    });
    request.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const at = (path: string) => received.filter((one) => one.path === path);
  return {
    received,
    at,
    url: (path) => `http://127.0.0.1:${port}${path}`,
    answer: (path, answering) =>
      void answers.set(
        path,
        typeof answering === 'number' ? (response) => response.writeHead(answering).end() : answering,
      ),
    wait: (path, count, limitMs) =>
      waitUntil(`${count} requests to ${path}`, () => (at(path).length >= count ? at(path) : null), limitMs),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
