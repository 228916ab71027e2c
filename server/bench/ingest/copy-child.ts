// The lower bound for storing the same samples as rows: COPY of a device-day into a table with a primary key, one transaction
// each, over as many connections as there are parallel uploads.
import pg from 'pg';
import { answerParent } from '../support/bench-child.ts';
import { type Round, runRound } from '../support/run-round.ts';
import { makeCopyRows } from './device-day.ts';

export type CopyLoad = {
  readonly connection: pg.ClientConfig;
  readonly userIds: readonly string[];
  readonly firstDay: number;
  readonly days: number;
  readonly callers: number;
};

const TABLE = `create table if not exists sample_rows (
  user_id uuid not null, metric smallint not null, device smallint not null, time timestamptz not null,
  value double precision not null, primary key (user_id, metric, device, time))`;
const COPY = 'copy sample_rows (user_id, metric, device, time, value) from stdin (format binary)';

answerParent({
  async run(load: CopyLoad): Promise<Round> {
    const clients = Array.from({ length: load.callers }, () => new pg.Client(load.connection));
    for (const client of clients) await client.connect();
    await clients[0]?.query(TABLE);
    const days = Array.from({ length: load.days }, (_, day) => load.firstDay + day);
    const copies = days.flatMap((day) => load.userIds.map((userId) => makeCopyRows(day, userId)));
    let count = 0;
    const limits = { callers: load.callers, seconds: Number.POSITIVE_INFINITY, maxCalls: copies.length };
    const round = await runRound(limits, (caller) => copy(clients[caller] as pg.Client, copies[count++] as Buffer));
    for (const client of clients) await client.end();
    return round;
  },
});

/** The driver's query does not support COPY: this sends the rows when the server is ready for them. */
class CopyQuery extends pg.Query {
  readonly #rows: Buffer;

  constructor(rows: Buffer, done: (error: Error | null) => void) {
    super(COPY, undefined, done as never);
    this.#rows = rows;
  }

  handleCopyInResponse(connection: { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }): void {
    connection.sendCopyFromChunk(this.#rows);
    connection.endCopyFrom();
  }
}

function copy(client: pg.Client, rows: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyQuery(rows, (error) => (error ? reject(error) : resolve())));
  });
}
