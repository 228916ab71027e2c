// A port of loopback that leads to another one, for tests that lose a connection between two servers.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TcpLink = Awaited<ReturnType<typeof openLink>>;

/** A connection is lost when `endsAt` is true for bytes that it would carry to the target. */
export async function openLink(target: number, endsAt: (bytes: Buffer) => boolean = () => false) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const carry = (from: Socket, to: Socket, isEnd: (bytes: Buffer) => boolean) => {
    sockets.add(from);
    from.on('data', (bytes: Buffer) => {
      if (!isEnd(bytes)) return void to.write(bytes);
      from.destroy();
      to.destroy();
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(target, '127.0.0.1');
    carry(near, far, endsAt);
    carry(far, near, () => false);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    /** Ends all connections, and accepts no other until `mend`. */
    cut,
    mend() {
      isCut = false;
    },
    close() {
      cut();
      server.close();
    },
  };
}
