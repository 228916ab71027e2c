// A minimal receiver, so that it is not the bottleneck: bare sockets with one request at a time. It counts requests, records
// when each event first arrived, and responds with 204.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { answerParent } from '../support/bench-child.ts';

const HEAD_END = '\r\n\r\n';
const NO_CONTENT = `HTTP/1.1 204 No Content${HEAD_END}`;
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/;
const WEBHOOK_ID = /\r\nwebhook-id: ([^\r]+)/;

let count = 0;
let lastMs = 0;
let wanted: { readonly count: number; readonly resolve: () => void } | null = null;
const firstSeenMs = new Map<string, number>();

const server = createServer({ noDelay: true }, (socket) => {
  let text = '';
  socket.setEncoding('latin1'); // one character per byte
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    text += chunk;
    const headEnd = text.indexOf(HEAD_END);
    if (headEnd < 0 || text.length < headEnd + HEAD_END.length + Number(CONTENT_LENGTH.exec(text)?.[1])) return;
    socket.write(NO_CONTENT, 'latin1');
    note(WEBHOOK_ID.exec(text)?.[1]);
    text = '';
  });
});

function note(id: string | undefined): void {
  count += 1;
  lastMs = Date.now();
  if (id !== undefined && !firstSeenMs.has(id)) firstSeenMs.set(id, lastMs);
  if (wanted && count >= wanted.count) wanted.resolve();
}

answerParent({
  async start(): Promise<number> {
    server.listen(0, '127.0.0.1', 4096);
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  },
  /** Resets the request count. */
  reset(): void {
    count = 0;
    firstSeenMs.clear();
  },
  /** Resolves with the arrival time of request number `goal`. */
  async wait(goal: number): Promise<number> {
    if (count < goal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wanted = { count: goal, resolve };
      await promise;
      wanted = null;
    }
    return lastMs;
  },
  read: () => ({ count, firstSeenMs: [...firstSeenMs] }),
});
