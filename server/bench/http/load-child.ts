// Generates read load: each caller has one connection and requests the next path after each response.
import { answerParent } from '../support/bench-child.ts';
import { type HttpConnection, openConnection } from '../support/http-connection.ts';
import { type Round, type RoundLimits, runRound } from '../support/run-round.ts';

export type Load = RoundLimits & { readonly url: string; readonly key: string; readonly paths: readonly string[] };

answerParent({
  async run(load: Load): Promise<Round> {
    const { host, port } = new URL(load.url);
    const head = `host: ${host}\r\nauthorization: Bearer ${load.key}\r\n\r\n`;
    const requests = load.paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${head}`));
    const connections = await Promise.all(Array.from({ length: load.callers }, () => openConnection(Number(port))));
    let count = 0;
    const round = await runRound(load, async (caller) => {
      const request = requests[count++ % requests.length] as Buffer;
      await (connections[caller] as HttpConnection).send(request);
    });
    for (const connection of connections) connection.close();
    return round;
  },
});
