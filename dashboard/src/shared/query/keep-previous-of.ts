type Previous = { readonly queryKey: readonly unknown[] };

/**
 * Placeholder data: the answer before stays on screen, unless it is of another owner. A page is not drawn again for another
 * environment, user or metric, so it would show what belongs to the one before.
 */
export function keepPreviousOf(...owner: readonly unknown[]) {
  return <Data>(data: Data | undefined, query: Previous | undefined): Data | undefined =>
    owner.every((part, index) => query?.queryKey[index] === part) ? data : undefined;
}
