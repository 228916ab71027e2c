// Lazy initialization: creates a value on first use. A failure is retried on the next use.

type OnFirstUse<Made> = {
  get(): Promise<Made>;
  /** Null: not used yet. */
  peek(): Promise<Made> | null;
};

export function onFirstUse<Made>(make: () => Promise<Made>): OnFirstUse<Made> {
  let made: Promise<Made> | null = null;
  return {
    get() {
      made ??= make().catch((error: unknown) => {
        made = null;
        throw error;
      });
      return made;
    },
    peek: () => made,
  };
}
