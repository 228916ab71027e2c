import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { it, type TestContext } from 'node:test';
import { waitUntil } from '../../../test/support/wait-until.ts';
import { createRedisLimiter } from './redis-limiter.ts';

const POLICY = { perSecond: 1, burst: 10 };
const REFUSAL = "OOM command not allowed when used memory > 'maxmemory'.";

it('names the reason of a refused command, not that of an earlier lost connection', async (t) => {
  const redis = await startFullRedis(t);
  const limiter = createRedisLimiter(redis.url, () => 'test:');
  t.after(() => limiter.close());
  const take = () => limiter.take('ada', POLICY).then(String, ({ message }: Error) => message);
  await waitUntil('a refusal', async () => (await take()) === REFUSAL);
  await redis.stop();
  await waitUntil('no connection', async () => /ECONNREFUSED/.test(await take()));
  await redis.start();
  await waitUntil('a connection', () => redis.connections() > 0);
  await waitUntil('a refusal again', async () => (await take()) === REFUSAL);
});

/** Accepts every command of the handshake, and refuses those that write, like a server without memory. */
async function startFullRedis(t: TestContext) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.setEncoding('utf8').on('data', (text: string) => {
      for (const command of text.split(/^\*\d+\r\n/m).slice(1))
        socket.write(/EVAL/.test(command) ? `-${REFUSAL}\r\n` : '+OK\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    for (const socket of sockets) socket.destroy();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  t.after(stop);
  return {
    url: `redis://127.0.0.1:${port}`,
    connections: () => sockets.size,
    stop,
    async start() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
