// Phones that upload often: each sends its next minutes, one upload after another.
import { randomUUID } from 'node:crypto';
import { answerParent } from '../support/bench-child.ts';
import { type HttpConnection, openConnection } from '../support/http-connection.ts';
import { type Round, type RoundLimits, runRound } from '../support/run-round.ts';
import { type Evening, LAST_MINUTE, makeSmallUpload } from './small-upload.ts';

export type SmallUploadLoad = {
  readonly limits: RoundLimits;
  readonly url: string;
  /** One phone per caller. */
  readonly tokens: readonly string[];
  readonly evening: Evening;
};

/** The next minute of each phone; later rounds continue. */
const nextMinutes: number[] = [];

answerParent({
  async run({ limits, url, tokens, evening }: SmallUploadLoad): Promise<Round> {
    const { host, port } = new URL(url);
    const connections = await Promise.all(tokens.map(() => openConnection(Number(port))));
    const round = await runRound(limits, async (caller) => {
      const minute = nextMinutes[caller] ?? 0;
      nextMinutes[caller] = (minute + 1) % LAST_MINUTE; // after a whole day it sends it again
      const body = Buffer.from(JSON.stringify(makeSmallUpload(randomUUID(), minute, evening)));
      const head = `POST /v1/sdk/uploads HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${tokens[caller]}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
      await (connections[caller] as HttpConnection).send(Buffer.from(head), body);
    });
    for (const connection of connections) connection.close();
    return round;
  },
});
