// The request and the reply of a raw route, as plain values.
export type RawRequest = {
  readonly method: string;
  /** The path as received, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Names in lower case; repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Undefined: a local socket, or the simulator alone. */
  readonly clientAddress?: string | undefined;
  /** Undefined: the simulator alone. */
  readonly requestId?: string;
};

export type RawReply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The request had a wrong secret; failures are counted by address. */
  readonly isWrongGuess?: boolean;
};

/** A stream is sent as it arrives, until the client disconnects or the signal aborts, which closes the connection. */
export type StreamedReply = Omit<RawReply, 'body'> & {
  readonly body: AsyncIterable<string | Buffer>;
  readonly signal: AbortSignal;
};
