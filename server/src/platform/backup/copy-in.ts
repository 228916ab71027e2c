// Loads a stream in PostgreSQL's binary COPY format into a table, at the speed of the server.
import type pg from 'pg';
import { asCopyConnection, type CopyConnection } from './copy-connection.ts';
import { parseRowCount } from './copy-out.ts';

/** `into` is a table with its columns. Returns the number of rows. */
export function copyIn(client: pg.ClientBase, into: string, source: AsyncIterable<Buffer>): Promise<number> {
  return new Promise((resolve, reject) => {
    const text = `copy ${into} from stdin (format binary)`;
    client.query(new CopyIn(text, source, resolve, reject));
  });
}

class CopyIn {
  readonly #text: string;
  readonly #source: AsyncIterable<Buffer>;
  readonly #resolve: (rows: number) => void;
  readonly #reject: (error: Error) => void;
  #rowCount = 0;
  #hasFailed = false;
  /** Why the source ended early; the server only reports that it did. */
  #sourceError: Error | null = null;

  constructor(
    text: string,
    source: AsyncIterable<Buffer>,
    resolve: (rows: number) => void,
    reject: (error: Error) => void,
  ) {
    this.#text = text;
    this.#source = source;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: pg.Connection): void {
    asCopyConnection(connection).query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).then(
      () => connection.endCopyFrom(),
      (error: Error) => {
        this.#sourceError = error;
        connection.sendCopyFail('the source ended early');
      },
    );
  }

  async #send(connection: CopyConnection): Promise<void> {
    for await (const chunk of this.#source) {
      if (this.#hasFailed) return;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) await drained(connection);
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rowCount = parseRowCount(text);
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#rowCount);
  }

  handleError(error: Error): void {
    this.#hasFailed = true;
    this.#reject(this.#sourceError ?? error);
  }
}

function drained({ stream }: CopyConnection): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}
