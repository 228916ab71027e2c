// Streams the rows of a query in PostgreSQL's binary COPY format, at the speed of the reader.
import { Readable } from 'node:stream';
import type pg from 'pg';
import { asCopyConnection, type CopyConnection } from './copy-connection.ts';

/** Rows are often small; they are passed on together. */
const PIECE_BYTES = 65_536;

export type TableCopy = {
  readonly stream: Readable;
  /** Known at the end of the stream. */
  readonly rows: () => number;
};

export function copyOut(client: pg.ClientBase, select: string): TableCopy {
  const query = new CopyOut(`copy (${select}) to stdout (format binary)`);
  client.query(query);
  return { stream: query, rows: () => query.rowCount };
}

class CopyOut extends Readable {
  rowCount = 0;
  readonly #text: string;
  #connection: CopyConnection | null = null;
  /** The driver reuses the memory of its messages, so they are copied at once. */
  #piece = Buffer.allocUnsafe(PIECE_BYTES);
  #used = 0;

  constructor(text: string) {
    super({ highWaterMark: 4 * PIECE_BYTES });
    this.#text = text;
  }

  submit(connection: pg.Connection): void {
    this.#connection = asCopyConnection(connection);
    this.#connection.query(this.#text);
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#connection?.stream.resume();
    done(error);
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: CopyConnection): void {
    if (this.destroyed) return;
    if (chunk.length > PIECE_BYTES - this.#used) this.#flush(connection);
    if (chunk.length > PIECE_BYTES) this.#pass(Buffer.from(chunk), connection);
    else this.#used += chunk.copy(this.#piece, this.#used);
  }

  handleCommandComplete({ text }: { text: string }, connection: CopyConnection): void {
    this.rowCount = parseRowCount(text);
    this.#flush(connection);
  }

  handleReadyForQuery(connection: CopyConnection): void {
    this.#release(connection);
    this.push(null);
  }

  handleError(error: Error, connection?: CopyConnection): void {
    if (connection) this.#release(connection);
    this.destroy(error);
  }

  #flush(connection: CopyConnection): void {
    if (this.#used === 0) return;
    const piece = this.#piece.subarray(0, this.#used);
    this.#piece = Buffer.allocUnsafe(PIECE_BYTES);
    this.#used = 0;
    this.#pass(piece, connection);
  }

  #pass(bytes: Buffer, connection: CopyConnection): void {
    if (!this.push(bytes)) connection.stream.pause();
  }

  /** The connection belongs to the next query now. */
  #release(connection: CopyConnection): void {
    connection.stream.resume();
    this.#connection = null;
  }
}

/** From the command tag, for example "COPY 42". */
export function parseRowCount(tag: string): number {
  return Number(tag.split(' ').at(-1));
}
