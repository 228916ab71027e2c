// The load: keep-alive connections to a loopback port, one request at a time on each, and no more parsing than it takes
// to find the end of an answer, so that the generator is not what is measured.
import { connect, type Socket } from 'node:net';
import { answerParent } from '../support/bench-child.ts';
import { type Round, type RoundLimits, runRound } from '../support/run-round.ts';

export type Load = RoundLimits & { readonly url: string; readonly key: string; readonly paths: readonly string[] };

type Connection = { send(request: Buffer): Promise<void>; close(): void };

const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_OK = 'HTTP/1.1 200 ';

answerParent({
  async run(load: Load): Promise<Round> {
    const { host, port } = new URL(load.url);
    const head = `host: ${host}\r\nauthorization: Bearer ${load.key}\r\n\r\n`;
    const requests = load.paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${head}`));
    const connections = await Promise.all(Array.from({ length: load.callers }, () => openConnection(Number(port))));
    let count = 0;
    const round = await runRound(load, (caller) => {
      const request = requests[count++ % requests.length] as Buffer;
      return (connections[caller] as Connection).send(request);
    });
    for (const connection of connections) connection.close();
    return round;
  },
});

async function openConnection(port: number): Promise<Connection> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let received: Buffer | null = null;
  let asked: PromiseWithResolvers<void> | null = null;
  const fail = (error: Error) => asked?.reject(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  socket.on('data', (chunk: Buffer) => {
    received = received ? Buffer.concat([received, chunk]) : chunk;
    const headBytes = received.indexOf(HEAD_END);
    if (headBytes < 0) return;
    const head = received.toString('latin1', 0, headBytes);
    if (!head.startsWith(STATUS_OK)) return fail(new Error(`answered ${head.slice(0, 200)}`));
    const bodyBytes = Number(/\ncontent-length: (\d+)/i.exec(head)?.[1]);
    if (received.length < headBytes + HEAD_END.length + bodyBytes) return;
    received = null;
    asked?.resolve();
  });
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return {
    send(request) {
      asked = Promise.withResolvers<void>();
      socket.write(request);
      return asked.promise;
    },
    close: () => {
      socket.removeAllListeners('close');
      socket.destroy();
    },
  };
}
