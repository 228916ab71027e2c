// HTTP that fetch would never send: any method, any bytes, and the exact response.
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export type RawAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

type RawCall = {
  readonly method: string;
  readonly headers?: Record<string, string>;
  readonly body?: Buffer | string;
  readonly socketPath?: string;
  /** Keeps connections for thousands of calls. Without it, every call has its own connection. */
  readonly agent?: Agent;
};

export function callRaw(url: string, options: RawCall): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { method, headers = {}, agent = false as const, ...rest } = options;
    const { socketPath } = rest;
    const target = { method, headers, agent, ...(socketPath !== undefined && { socketPath }) };
    const call = request(url, target, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    call.on('error', (error) => {
      // The server may close a kept connection at the moment of the call.
      if (call.reusedSocket) resolve(callRaw(url, { method, headers, ...rest }));
      else reject(error);
    });
    call.end(rest.body);
  });
}

/** Writes these bytes and reads until the server closes. */
export function sendBytes(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => void socket.write(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
  });
}
