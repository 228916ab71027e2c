// A request taken as bytes and its answer, as values.
export type RawRequest = {
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Names in lower case; repeated ones joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

export type RawReply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** A secret was tried and was wrong: counted by address. */
  readonly isWrongGuess?: boolean;
};

/** Its pieces are sent as they come, unless the reader has gone. */
export type StreamedReply = Omit<RawReply, 'body'> & { readonly body: AsyncIterable<string | Buffer> };
