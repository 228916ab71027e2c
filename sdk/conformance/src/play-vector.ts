// Plays one vector: a loopback HTTP server answers the program under test as the vector says, and checks each of its requests.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Captured, fillIn, findMismatch } from './match-body.ts';
import { type Program, startProgram } from './program.ts';
import type { RequestStep, Step, Vector } from './vector.ts';

type Arrived = {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  readonly atMs: number;
};

/** For a request or an answer of the program. */
const PATIENCE_MS = 60_000;

type Run = {
  readonly command: readonly string[];
  readonly folder: string;
  baseUrl: string;
  program: Program | null;
  flush: Promise<Record<string, unknown>> | null;
  readonly arrived: Arrived[];
  wake: () => void;
  readonly captured: Captured;
  readonly bodies: Map<string, string>;
  answeredAtMs: number;
};

/** Throws an error that names the step. */
export async function playVector(vector: Vector, command: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const run: Run = {
    command,
    folder,
    baseUrl: '',
    program: null,
    flush: null,
    arrived: [],
    wake: () => undefined,
    captured: new Map(),
    bodies: new Map(),
    answeredAtMs: 0,
  };
  const tokens = [...vector.tokens];
  const server = createServer((message, response) => void receive(run, tokens, message, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  run.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (const [index, step] of vector.steps.entries()) {
      try {
        await playStep(run, step);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`${vector.name}, step ${index + 1}: ${reason}`);
      }
    }
  } finally {
    await run.program?.kill();
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function receive(run: Run, tokens: string[], message: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  if (message.url === '/conformance/token') {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ token: tokens.shift() ?? null }));
    return;
  }
  const bytes = Buffer.concat(parts);
  const body = (message.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
  run.arrived.push({ message, response, body, atMs: performance.now() });
  run.wake();
}

async function playStep(run: Run, step: Step): Promise<void> {
  if ('request' in step) return playRequest(run, step);
  if ('expect' in step) return checkState(run, step.expect);
  if (step.do === 'kill') return kill(run);
  if (step.do === 'start') {
    run.program = startProgram(run.command);
    await askProgram(run, { do: 'open', base_url: run.baseUrl, storage_folder: run.folder, ...step.options });
  } else if (step.do === 'enqueue') await askProgram(run, { do: 'enqueue', changes: step.changes }, step.error);
  else {
    run.flush = run.program?.ask({ do: 'flush' }) ?? null;
    run.flush?.catch(() => undefined); // read at the next `expect`, or the process is killed
  }
}

async function askProgram(run: Run, command: object, error?: string): Promise<void> {
  const answer = await withPatience(run.program?.ask(command) ?? Promise.reject(new Error('no program')), 'an answer');
  const isExpected = error === undefined ? answer.ok === true : answer.ok === false && answer.error === error;
  if (!isExpected) throw new Error(`the program answered ${JSON.stringify(answer)}`);
}

async function kill(run: Run): Promise<void> {
  await run.program?.kill();
  run.program = null;
  run.flush = null;
}

async function playRequest(run: Run, step: RequestStep): Promise<void> {
  const { message, response, body, atMs } = await withPatience(
    Promise.race([nextRequest(run), failAtEnd(run)]),
    'a request',
  );
  const {
    method,
    path,
    token,
    body: pattern,
    name,
    same_body_as: earlier,
    min_delay_ms: minDelayMs = 0,
  } = step.request;
  const what = `${message.method} ${message.url}`;
  if (what !== `${method} ${path}`) throw new Error(`expected ${method} ${path}, not ${what}`);
  if (token !== undefined && message.headers.authorization !== `Bearer ${token}`)
    throw new Error(`expected the token ${token}, not ${message.headers.authorization}`);
  const mismatch = pattern === undefined ? null : findMismatch(pattern, JSON.parse(body), run.captured);
  if (mismatch !== null) throw new Error(`${what}: ${mismatch}`);
  if (earlier !== undefined && run.bodies.get(earlier) !== body)
    throw new Error(`${what}: the body must be the same bytes as ${earlier}`);
  if (name !== undefined) run.bodies.set(name, body);
  if (atMs - run.answeredAtMs < minDelayMs)
    throw new Error(`${what}: came ${Math.round(atMs - run.answeredAtMs)} ms after the answer`);
  if ('fault' in step) {
    if (step.fault === 'kill') await kill(run);
    response.destroy();
  } else {
    const { status, headers = {}, body: reply } = step.reply;
    const isHtml = typeof reply === 'string';
    response.writeHead(status, { 'content-type': isHtml ? 'text/html' : 'application/json', ...headers });
    response.end(isHtml ? reply : reply === undefined ? '' : JSON.stringify(fillIn(reply, run.captured)));
  }
  run.answeredAtMs = performance.now();
}

/** A flush that ends sends no further request, so there is nothing to wait for. */
async function failAtEnd(run: Run): Promise<never> {
  const answer = await (run.flush ?? new Promise<never>(() => undefined));
  if (run.arrived.length > 0) return new Promise<never>(() => undefined);
  throw new Error(`the flush ended without this request: ${JSON.stringify(answer)}`);
}

async function nextRequest(run: Run): Promise<Arrived> {
  for (;;) {
    const first = run.arrived.shift();
    if (first !== undefined) return first;
    await new Promise<void>((resolve) => {
      run.wake = resolve;
    });
  }
}

async function checkState(run: Run, expected: object): Promise<void> {
  const answer = await withPatience(run.flush ?? Promise.reject(new Error('no flush')), 'the end of the flush');
  const mismatch = findMismatch(expected, answer, new Map(), 'state');
  if (mismatch !== null) throw new Error(mismatch);
  const extra = run.arrived[0]?.message;
  if (extra !== undefined) throw new Error(`unexpected request: ${extra.method} ${extra.url}`);
}

async function withPatience<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${PATIENCE_MS / 1_000} s for ${what}`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
