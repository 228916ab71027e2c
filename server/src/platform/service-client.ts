// Calls the public API of a service, on this machine or another one, as its customers do.
import type { IncomingHttpHeaders } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { CliError, type ErrorAnswer } from './cli-error.ts';
import { http } from './node-http.ts';
import { parseRetryAfter } from './outbound/index.ts';

export type ServiceClient = {
  /** The body of a JSON response. Throws ServiceCallError. */
  read(path: string, query?: Readonly<Record<string, string | undefined>>): Promise<unknown>;
  /** The body of a response as it arrives. It fails if the connection ends early. */
  open(path: string, query?: Readonly<Record<string, string | undefined>>): Promise<OpenedBody>;
};

type OpenedBody = Readable & { readonly headers: IncomingHttpHeaders };

/** The service rejected the call. */
export class ServiceCallError extends CliError {
  readonly status: number;
  readonly code: string;

  constructor(status: number, message: string, answer?: ErrorAnswer) {
    super(message);
    this.status = status;
    this.code = answer?.error ?? '';
    if (answer) this.answer = answer;
  }
}

type ServiceClientOptions = {
  /** For example https://health.example.com, or with a path. */
  readonly url: string;
  /** An API key or a user token. */
  readonly token: string;
  readonly userAgent: string;
  /** Ends calls whose answer nobody waits for any more. */
  readonly signal?: AbortSignal | undefined;
};

/** Without a byte for this long the connection counts as lost. */
const IDLE_MS = 60_000;
const MAX_ATTEMPTS = 6;
const FIRST_PAUSE_MS = 500;
const LATER: ReadonlySet<number> = new Set([429, 503]);

export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const open: ServiceClient['open'] = async (path, query = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      const { status, retryAfter, body } = await send(options, withQuery(path, query));
      if (status < 300) return body;
      const error = await readError(status, body);
      if (!LATER.has(status) || attempt === MAX_ATTEMPTS) throw error;
      await delay(parseRetryAfter(retryAfter, new Date()) ?? FIRST_PAUSE_MS * 2 ** attempt, undefined, {
        signal: options.signal,
      });
    }
  };
  return {
    open,
    read: async (path, query) => JSON.parse(await readText(await open(path, query))) as unknown,
  };
}

type Sent = { readonly status: number; readonly retryAfter: string | undefined; readonly body: OpenedBody };

function send({ url, token, userAgent, signal }: ServiceClientOptions, path: string): Promise<Sent> {
  const target = new URL(`${url.replace(/\/+$/, '')}${path}`);
  const request = target.protocol === 'https:' ? requestHttps : http.request;
  const headers = { authorization: `Bearer ${token}`, 'api-form': '2', 'user-agent': userAgent };
  return new Promise((resolve, reject) => {
    const call = request(target, { headers, timeout: IDLE_MS, ...(signal && { signal }) }, (response) =>
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], body: response }),
    );
    call.on('timeout', () => call.destroy(new Error('the service does not respond')));
    call.on('error', (error) =>
      reject(
        new CliError(
          `Cannot reach ${target.origin}: ${error.message}. Check TRIBUTARY_URL, and that the service runs.`,
        ),
      ),
    );
    call.end();
  });
}

function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

async function readText(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

async function readError(status: number, body: Readable): Promise<ServiceCallError> {
  const text = await readText(body);
  try {
    const { error, message, details = {} } = JSON.parse(text) as { error: string; message: string; details?: object };
    const facts = JSON.stringify(details);
    return new ServiceCallError(status, facts === '{}' ? message : `${message} ${facts}`, { error, message, details });
  } catch {
    return new ServiceCallError(status, `The service answered with status ${status}.`);
  }
}
