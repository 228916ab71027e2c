/** The named texts of an address; without those that are missing or empty. */
export function readTexts<Name extends string>(
  search: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  const texts = names.flatMap((name) => {
    const value = search[name];
    const text = typeof value === 'number' ? String(value) : value; // the router reads 42 in an address as a number
    return typeof text === 'string' && text !== '' ? [[name, text] as const] : [];
  });
  return Object.fromEntries(texts) as { readonly [name in Name]?: string };
}
