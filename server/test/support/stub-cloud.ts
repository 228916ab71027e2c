// A provider on this machine whose responses a test sets, and which records requests. The connectors are the real ones: the
// stub replaces the simulator of the sandbox.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { KEPT_OPEN } from './kept-open.ts';

export type CloudRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly form: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
};
type CloudAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** The raw body, instead of `json`. */
  readonly text?: string | Buffer;
  /** Declares a longer body than it sends, and closes the connection. */
  readonly isCutOff?: boolean;
};
type Answering = (request: CloudRequest) => CloudAnswer | Promise<CloudAnswer>;

export type StubCloud = {
  readonly url: string;
  readonly requests: CloudRequest[];
  /** From now on, for paths with this prefix; the longest match wins. Other paths get 404. */
  answer(path: string, answering: Answering | CloudAnswer): void;
  at(path: string): CloudRequest[];
  close(): Promise<void>;
};

export async function startStubCloud(): Promise<StubCloud> {
  const requests: CloudRequest[] = [];
  const answers = new Map<string, Answering>();
  const find = (path: string): Answering => {
    const [best] = [...answers.keys()].filter((key) => path.startsWith(key)).sort((a, b) => b.length - a.length);
    return (best === undefined ? undefined : answers.get(best)) ?? (() => ({ status: 404 }));
  };
  const server = createServer(KEPT_OPEN, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', async () => {
      const url = new URL(incoming.url ?? '', 'http://stub');
      const body = Buffer.concat(chunks).toString();
      const request: CloudRequest = {
        method: incoming.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        body,
        form: new URLSearchParams(body),
        headers: incoming.headers,
      };
      requests.push(request);
      send(response, await find(url.pathname)(request));
    });
    incoming.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: (path, answering) => void answers.set(path, typeof answering === 'function' ? answering : () => answering),
    at: (path) => requests.filter((one) => one.path.startsWith(path)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, { status = 200, headers = {}, json, text, isCutOff }: CloudAnswer): void {
  const body = text ?? (json === undefined ? '' : JSON.stringify(json));
  if (isCutOff) {
    response.writeHead(status, { ...headers, 'content-length': body.length + 1_000 });
    response.write(body, () => response.destroy());
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}
