// The registry of files that are made from the code: add an entry here, then `npm run generate`.

export type GeneratedFile = {
  /** From the repository's root. */
  path: string;
  /** The whole text. The same on every run: no date, no random order, no machine's name. */
  make: () => Promise<string>;
};

export const generatedFiles: readonly GeneratedFile[] = [];
