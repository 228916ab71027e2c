// Something that is loaded or made when it is first needed, once. What failed is tried again with the next use.

export type OnFirstUse<Made> = {
  get(): Promise<Made>;
  /** Null: nobody has needed it yet. */
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
