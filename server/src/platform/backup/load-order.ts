// The order in which tables are filled, so that a row's references exist before it.

export type TableReference = { readonly from: string; readonly to: string };

/** Tables that are referenced come first; otherwise the order stays. */
export function sortByReferences(tables: readonly string[], references: readonly TableReference[]): string[] {
  const needed = new Map<string, string[]>(tables.map((table) => [table, []]));
  for (const { from, to } of references) if (from !== to && needed.has(to)) needed.get(from)?.push(to);
  const sorted = new Set<string>();
  const visit = (table: string, path: readonly string[]) => {
    if (sorted.has(table)) return;
    if (path.includes(table)) throw new Error(`tables refer to each other: ${[...path, table].join(', ')}`);
    for (const other of needed.get(table) ?? []) visit(other, [...path, table]);
    sorted.add(table);
  };
  for (const table of tables) visit(table, []);
  return [...sorted];
}
