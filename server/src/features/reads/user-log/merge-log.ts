// Merges the newest entries of several lists into one page, and remembers how far each list was read. Pure.

export const LOG_KINDS = ['events', 'uploads', 'syncs', 'deliveries', 'changes', 'looks'] as const;
export type LogKind = (typeof LOG_KINDS)[number];

export type LogEntry<Item> = {
  readonly kind: LogKind;
  readonly at: Date;
  readonly position: string;
  readonly item: Item;
};

/** Where each list continues; null: at its newest entry. */
export type LogPosition = Readonly<Record<LogKind, string | null>>;

export const LOG_START: LogPosition = {
  events: null,
  uploads: null,
  syncs: null,
  deliveries: null,
  changes: null,
  looks: null,
};

type MergedPage<Item> = {
  readonly entries: readonly LogEntry<Item>[];
  /** Null: this is the last page. */
  readonly next: LogPosition | null;
};

/** Every list is newest first and has up to `limit` + 1 entries. */
export function mergeLog<Item>(
  lists: readonly (readonly LogEntry<Item>[])[],
  start: LogPosition,
  limit: number,
): MergedPage<Item> {
  const waiting = lists.map((list) => [...list]);
  const entries: LogEntry<Item>[] = [];
  while (entries.length < limit) {
    const newest = waiting.filter((list) => list.length > 0).reduce<LogEntry<Item>[] | null>(pickNewer, null);
    const entry = newest?.shift();
    if (entry === undefined) break;
    entries.push(entry);
  }
  if (waiting.every((list) => list.length === 0)) return { entries, next: null };
  const next: Record<LogKind, string | null> = { ...start };
  for (const { kind, position } of entries) next[kind] = position;
  return { entries, next };
}

/** At the same time the earlier list wins, so that pages are always the same. */
function pickNewer<Item>(best: LogEntry<Item>[] | null, list: LogEntry<Item>[]): LogEntry<Item>[] {
  const [one, other] = [best?.[0], list[0]];
  return best !== null && one !== undefined && other !== undefined && one.at >= other.at ? best : list;
}
