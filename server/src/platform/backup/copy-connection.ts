// The part of the driver's connection that COPY uses and that its types do not describe.
import type { Socket } from 'node:net';
import type pg from 'pg';

export type CopyConnection = {
  readonly stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

export function asCopyConnection(connection: pg.Connection): CopyConnection {
  return connection as unknown as CopyConnection;
}
