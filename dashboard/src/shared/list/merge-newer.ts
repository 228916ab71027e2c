// Lists that follow time do not move while they are read: rows on screen are brought up to date in place, newer ones are
// counted until the reader asks for them.

type Keyed = { readonly id: string };

/** `shown`: the rows on screen, newest first. `latest`: the newest rows of the service. */
export function mergeNewer<Row extends Keyed>(
  shown: readonly Row[],
  latest: readonly Row[],
): { readonly rows: readonly Row[]; readonly newer: number } {
  if (shown.length === 0) return { rows: latest, newer: 0 };
  const byId = new Map(latest.map((row) => [row.id, row]));
  const known = new Set(shown.map(({ id }) => id));
  const firstKnown = latest.findIndex(({ id }) => known.has(id));
  return {
    rows: shown.map((row) => byId.get(row.id) ?? row),
    newer: firstKnown === -1 ? latest.length : firstKnown,
  };
}
