// A server on bare sockets, so that a test can imitate any broken, slow or hostile receiver.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';

type RawEndpoint = {
  readonly port: number;
  readonly origin: string;
  /** Connections accepted since the start. */
  readonly accepted: number;
  /** Connections open now. */
  readonly open: number;
};

/** Ignores socket errors, which tests cause on purpose. */
export async function startRawEndpoint(
  t: TestContext,
  onConnection: (socket: Socket) => void,
  host = '127.0.0.1',
): Promise<RawEndpoint> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((socket) => {
    accepted++;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    onConnection(socket);
    socket.resume(); // a socket that is not read does not detect its end
  });
  server.listen(0, host);
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    get accepted() {
      return accepted;
    },
    get open() {
      return sockets.size;
    },
  };
}

/** Sends the same bytes for every request as soon as it begins to arrive. */
export function answerRaw(text: string): (socket: Socket) => void {
  return (socket) => void socket.on('data', () => socket.write(text));
}
