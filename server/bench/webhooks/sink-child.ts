// A receiver that does as little as one can: counts, remembers when each event first came, and answers 204.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { answerParent } from '../support/bench-child.ts';

let count = 0;
let lastMs = 0;
let wanted: { readonly count: number; readonly resolve: () => void } | null = null;
const firstSeenMs = new Map<string, number>();

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(204).end();
    count += 1;
    lastMs = Date.now();
    const id = request.headers['webhook-id'];
    if (typeof id === 'string' && !firstSeenMs.has(id)) firstSeenMs.set(id, lastMs);
    if (wanted && count >= wanted.count) wanted.resolve();
  });
});

answerParent({
  async start(): Promise<number> {
    server.listen(0, '127.0.0.1', 4096);
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  },
  /** From here on requests are counted anew. */
  reset(): void {
    count = 0;
    firstSeenMs.clear();
  },
  /** Resolves with the moment of the last of so many. */
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
