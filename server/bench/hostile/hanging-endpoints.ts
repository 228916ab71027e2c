// Webhook endpoints that accept a delivery and never respond.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Call, send } from './attack.ts';

type HangingEndpoints = { countOpen(): number; close(): Promise<void> };

/** Enough deliveries per endpoint to outlast a benchmark run: an attempt hangs for 15 s. */
const DELIVERIES_EACH = 4;
/** The number of calls the rate limit of a key refills in the meantime. */
const REFUSED_PAUSE_MS = 50;

/** Registers endpoints that never respond, half of an account's in each environment, and sends events to all of them. */
export async function attackWithHangingEndpoints(
  url: string,
  accounts: readonly { readonly live: string; readonly sandbox: string }[],
  perAccount: number,
): Promise<HangingEndpoints> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
    socket.resume();
  });
  server.listen(0, '127.0.0.1', 4_096);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const keys = accounts.flatMap(({ live, sandbox }) => [live, sandbox]);
  await Promise.all(
    keys.map(async (key) => {
      for (let index = 0; index < perAccount / 2; index += 1) {
        const body = { url: `http://127.0.0.1:${port}/${index}`, events: ['*'] };
        const made = await callUntilTaken(url, { method: 'POST', path: '/v1/webhooks', key, body });
        const { id } = (JSON.parse(made) as { data: { id: string } }).data;
        for (let count = 0; count < DELIVERIES_EACH; count += 1)
          await callUntilTaken(url, { method: 'POST', path: `/v1/webhooks/${id}/test`, key, body: {} });
      }
    }),
  );
  return {
    countOpen: () => open.size,
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function callUntilTaken(url: string, call: Call): Promise<string> {
  for (;;) {
    const { status, text } = await send(undefined, url, call);
    if (status < 300) return text;
    if (status !== 429) throw new Error(`${call.method} ${call.path} answered ${status}: ${text}`);
    await delay(REFUSED_PAUSE_MS);
  }
}
