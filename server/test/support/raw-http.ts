// HTTP that fetch would never send: any method, any bytes, and the exact response.
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';

export type RawAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

export function callRaw(
  url: string,
  options: { method: string; headers?: Record<string, string>; body?: Buffer | string; socketPath?: string },
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { method, headers = {}, socketPath } = options;
    const target = { method, headers, agent: false as const, ...(socketPath !== undefined && { socketPath }) };
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
    call.on('error', reject);
    call.end(options.body);
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
