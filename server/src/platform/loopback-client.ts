// A JSON call to a server on this machine, over a port or a socket. Calls to other machines use platform/outbound.
import { http } from './node-http.ts';

export type LoopbackReply = { readonly status: number; readonly body: unknown };

const TIMEOUT_MS = 20_000;

export function callLoopback(
  url: string,
  options: {
    method: string;
    token?: string;
    /** Bytes are sent as they are: JSON that is ready. */
    body?: unknown;
    signal?: AbortSignal;
    socketPath?: string;
    userAgent?: string;
  },
): Promise<LoopbackReply> {
  const { hostname } = new URL(url);
  if (hostname !== '127.0.0.1' && hostname !== 'localhost' && hostname !== '[::1]')
    throw new Error('not a loopback address');
  const { body } = options;
  const payload = body === undefined || body instanceof Uint8Array ? body : JSON.stringify(body);
  const headers = {
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    ...(options.userAgent === undefined ? {} : { 'user-agent': options.userAgent }),
    ...(payload === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
  };
  return new Promise((resolve, reject) => {
    const { method, signal, socketPath } = options;
    const settings = {
      ...{ method, headers, timeout: TIMEOUT_MS, agent: false as const },
      ...(signal && { signal }),
      ...(socketPath !== undefined && { socketPath }),
    };
    const call = http.request(url, settings, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        try {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, body: text === '' ? null : JSON.parse(text) });
        } catch (error) {
          reject(error);
        }
      });
    });
    call.on('timeout', () => call.destroy(new Error('timed out')));
    call.on('error', reject);
    call.end(payload);
  });
}
