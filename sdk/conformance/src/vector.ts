// A conformance vector: the actions of an app, the requests that the program under test must send, and the responses.

export type Reply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object, or a text that is sent as HTML. `$name` is replaced by the captured text. */
  readonly body?: unknown;
};

export type RequestStep = {
  readonly request: {
    readonly method: string;
    readonly path: string;
    /** The bearer token. */
    readonly token?: string;
    /** Fields that are not listed may have any value. `$name` captures a text, and must equal it later on. */
    readonly body?: unknown;
    /** Names the uncompressed body for `same_body_as`. */
    readonly name?: string;
    /** The same bytes as that earlier body, after decompression. */
    readonly same_body_as?: string;
    /** Since the previous request was answered. */
    readonly min_delay_ms?: number;
  };
} & (
  | { readonly reply: Reply }
  /** `drop`: the connection is closed without an answer. `kill`: the same, and the process is killed. */
  | { readonly fault: 'drop' | 'kill' }
);

export type Step =
  | { readonly do: 'start'; readonly options?: object }
  /** `error`: the program must refuse the changes with it. */
  | { readonly do: 'enqueue'; readonly changes: object; readonly error?: string }
  | { readonly do: 'flush' }
  | { readonly do: 'kill' }
  | { readonly expect: object }
  | RequestStep;

export type Vector = {
  readonly name: string;
  readonly description: string;
  /** Handed out by the app's backend, one per call; then null. */
  readonly tokens: readonly string[];
  readonly steps: readonly Step[];
};
