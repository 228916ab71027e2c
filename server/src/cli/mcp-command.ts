// tributary mcp: a Model Context Protocol server for assistants, over standard input and output or on a port of this machine.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createMcpServer } from './mcp-tools.ts';
import { openService, readServiceAccess, readServiceUrl } from './service-access.ts';
import { createStopSignal, type Terminal } from './terminal.ts';

export type McpOptions = { port?: string };

/** A call of a tool has a few hundred bytes. */
const MAX_BODY_BYTES = 1_048_576;

export async function mcpCommand(terminal: Terminal, { port }: McpOptions): Promise<void> {
  if (port === undefined) return serveOnStdio(terminal);
  return serveOnPort(terminal, Number(port));
}

/** Ends when the client closes standard input. */
async function serveOnStdio(terminal: Terminal): Promise<void> {
  const service = openService(readServiceAccess(terminal), 'mcp');
  serveStdio(() => createMcpServer(service));
}

/** Callers send their own API key or user token; the server has none. */
async function serveOnPort(terminal: Terminal, port: number): Promise<void> {
  const url = readServiceUrl(terminal);
  const handler = createMcpHandler(({ requestInfo }) => {
    const token = readToken(requestInfo?.headers.get('authorization') ?? '');
    return createMcpServer(openService({ url, token }, 'mcp'));
  });
  const server = createServer((request, response) => void respond(request, response, handler.fetch));
  server.listen(port, '127.0.0.1');
  await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  terminal.stderr(`MCP server on http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
  const signal = createStopSignal(terminal);
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  server.close();
  server.closeAllConnections();
}

function readToken(authorization: string): string {
  return /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '';
}

async function respond(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (request: Request) => Promise<Response>,
): Promise<void> {
  try {
    await write(outgoing, await handleRequest(incoming, handle));
  } catch {
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
  }
}

async function handleRequest(
  incoming: IncomingMessage,
  handle: (request: Request) => Promise<Response>,
): Promise<Response> {
  const [path] = (incoming.url ?? '').split('?', 1);
  if (path !== '/mcp') return new Response(null, { status: 404 });
  const body = await readBody(incoming);
  if (body === null) return new Response(null, { status: 413 });
  const request = new Request(new URL(incoming.url ?? '/', 'http://127.0.0.1'), {
    method: incoming.method ?? 'GET',
    headers: Object.entries(incoming.headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    ),
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  if (readToken(request.headers.get('authorization') ?? '') === '')
    return new Response(null, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
  // A page in a browser must not reach the server through a host name that it controls.
  return hostHeaderValidationResponse(request, localhostAllowedHostnames()) ?? handle(request);
}

/** Null: too large. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    length += (chunk as Buffer).length;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

async function write(outgoing: ServerResponse, response: Response): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body !== null) for await (const chunk of response.body) outgoing.write(chunk);
  outgoing.end();
}
