export type GeneratedFile = {
  /** Relative to the repository root. */
  readonly path: string;
  /** The whole text. It must be the same on every run: no date, no random order, no host name. */
  readonly make: () => Promise<string>;
};
