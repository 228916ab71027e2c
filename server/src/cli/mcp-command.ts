// tributary mcp: a Model Context Protocol server for assistants, over standard input and output or on a port of this machine.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { http } from '../platform/node-http.ts';
import { listenLocally, readPort } from './local-port.ts';
import { createMcpServer } from './mcp-tools.ts';
import { openService, readServiceAccess, readServiceUrl } from './service-access.ts';
import { createStopSignal, type Terminal } from './terminal.ts';

export type McpOptions = { port?: string };

/** A call of a tool has a few hundred bytes. */
const MAX_BODY_BYTES = 1_048_576;

export async function mcpCommand(terminal: Terminal, { port }: McpOptions): Promise<void> {
  if (port === undefined) return serveOnStdio(terminal);
  return serveOnPort(terminal, readPort(port));
}

/** Ends when the client closes standard input. */
async function serveOnStdio(terminal: Terminal): Promise<void> {
  const access = readServiceAccess(terminal);
  const service = openService(access, 'mcp');
  serveStdio(() => createMcpServer(service, readUserOfToken(access.token)));
}

/** Callers send their own API key or user token; the server has none. */
async function serveOnPort(terminal: Terminal, port: number): Promise<void> {
  const url = readServiceUrl(terminal);
  const handler = createMcpHandler(({ requestInfo }) => {
    const token = readToken(requestInfo?.headers.get('authorization') ?? '');
    return createMcpServer(openService({ url, token }, 'mcp', requestInfo?.signal), readUserOfToken(token));
  });
  const server = http.createServer((request, response) => void respond(request, response, handler.fetch));
  const bound = await listenLocally(server, port);
  terminal.stderr(`MCP server on http://127.0.0.1:${bound}/mcp\n`);
  const signal = createStopSignal(terminal);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  server.close();
  await handler.close();
  server.closeAllConnections();
}

function readToken(authorization: string): string {
  return /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';
}

/** Null for an API key. The service verifies the token; here it only completes the calls. */
function readUserOfToken(token: string): string | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const { sub } = claims as { sub?: unknown };
    return typeof sub === 'string' ? sub : null;
  } catch {
    return null;
  }
}

type Handle = (request: Request) => Promise<Response>;

async function respond(incoming: IncomingMessage, outgoing: ServerResponse, handle: Handle): Promise<void> {
  const disconnected = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) disconnected.abort();
  });
  try {
    await write(incoming, outgoing, await handleRequest(incoming, handle, disconnected.signal));
  } catch {
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
  }
}

async function handleRequest(incoming: IncomingMessage, handle: Handle, signal: AbortSignal): Promise<Response> {
  const [path] = (incoming.url ?? '').split('?', 1);
  if (path !== '/mcp') return new Response(null, { status: 404 });
  const address = new URL(incoming.url ?? '/', 'http://127.0.0.1');
  const headers = Object.entries(incoming.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  const refusal = refuse(new Request(address, { headers }));
  if (refusal !== undefined) return refusal;
  const body = await readBody(incoming);
  if (body === null) return new Response(null, { status: 413 });
  return handle(
    new Request(address, {
      method: incoming.method ?? 'GET',
      headers,
      signal,
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    }),
  );
}

/** Before the body is read. A page in a browser must not reach the server, not even through a host name that it controls. */
function refuse(request: Request): Response | undefined {
  if (readToken(request.headers.get('authorization') ?? '') === '')
    return new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  return (
    hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
    originValidationResponse(request, localhostAllowedOrigins())
  );
}

/** Null: too large. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  // Otherwise the end of the loop would close the connection before the response.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    length += (chunk as Buffer).length;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

/** At the pace of the client. */
async function write(incoming: IncomingMessage, outgoing: ServerResponse, response: Response): Promise<void> {
  if (!incoming.complete) outgoing.setHeader('connection', 'close'); // the rest of the body is not read
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing);
}
