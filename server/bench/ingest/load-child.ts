// Phones that upload. The bodies are built before the measurement starts; a fixed number of callers sends them in parallel.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { answerParent } from '../support/bench-child.ts';
import { type HttpConnection, openConnection } from '../support/http-connection.ts';
import { type Round, runRound } from '../support/run-round.ts';
import { makeUploadBody } from './device-day.ts';

export type UploadLoad = {
  readonly url: string;
  readonly tokens: readonly string[];
  readonly encoding: 'identity' | 'gzip';
  /** Each phone sends these in order, one upload per day. */
  readonly firstDay: number;
  readonly days: number;
  readonly callers: number;
};

const pack = promisify(gzip);

answerParent({
  async run(load: UploadLoad): Promise<Round> {
    const { host, port } = new URL(load.url);
    const bodies = await makeBodies(load);
    const connections = await Promise.all(Array.from({ length: load.callers }, () => openConnection(Number(port))));
    const uploads = load.days * load.tokens.length;
    let count = 0;
    const limits = { callers: load.callers, seconds: Number.POSITIVE_INFINITY, maxCalls: uploads };
    const round = await runRound(limits, async (caller) => {
      const index = count++;
      const body = bodies[Math.floor(index / load.tokens.length)] as Buffer;
      const token = load.tokens[index % load.tokens.length];
      const head = `POST /v1/sdk/uploads HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-encoding: ${load.encoding}\r\ncontent-length: ${body.length}\r\n\r\n`;
      await (connections[caller] as HttpConnection).send(Buffer.from(head), body);
    });
    for (const connection of connections) connection.close();
    return round;
  },
});

function makeBodies({ firstDay, days, encoding }: UploadLoad): Promise<Buffer[]> {
  const plain = Array.from({ length: days }, (_, index) => makeUploadBody(firstDay + index));
  return Promise.all(plain.map((body) => (encoding === 'gzip' ? pack(body) : body)));
}
