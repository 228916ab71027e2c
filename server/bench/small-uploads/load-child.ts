// Phones that upload often: each sends its next minutes, one upload after another.
import { randomUUID } from 'node:crypto';
import { answerParent } from '../support/bench-child.ts';
import { type HttpConnection, openConnection } from '../support/http-connection.ts';
import { type Round, type RoundLimits, runRound } from '../support/run-round.ts';
import { makeSmallUpload } from './small-upload.ts';

export type SmallUploadLoad = {
  readonly limits: RoundLimits;
  readonly url: string;
  /** One phone per caller. */
  readonly tokens: readonly string[];
};

/** The next minute of each phone; later rounds continue. */
const nextMinutes: number[] = [];
const MINUTES_APART = 5;

answerParent({
  async run({ limits, url, tokens }: SmallUploadLoad): Promise<Round> {
    const { host, port } = new URL(url);
    const connections = await Promise.all(tokens.map(() => openConnection(Number(port))));
    const round = await runRound(limits, async (caller) => {
      const minute = nextMinutes[caller] ?? 0;
      nextMinutes[caller] = minute + MINUTES_APART;
      const body = Buffer.from(JSON.stringify(makeSmallUpload(randomUUID(), minute)));
      const head = `POST /v1/sdk/uploads HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${tokens[caller]}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
      await (connections[caller] as HttpConnection).send(Buffer.from(head), body);
    });
    for (const connection of connections) connection.close();
    return round;
  },
});
