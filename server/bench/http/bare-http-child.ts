// The lower bound for Node: node:http sends the same prepared bytes, without routing or database.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../support/bench-child.ts';

export type BareAnswer = { readonly headers: readonly string[]; readonly body: string; readonly keepAliveMs: number };

answerParent({
  async start({ headers, body, keepAliveMs }: BareAnswer): Promise<string> {
    const server = createServer((_request, response) => {
      response.writeHead(200, headers as string[]);
      response.end(body);
    });
    server.keepAliveTimeout = keepAliveMs;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
});
