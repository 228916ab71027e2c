// The sessions of a cluster that are kept so far, found by time. Two of them never share more than half of the shorter, so
// none lies within another and no three share a moment: by start they also are by end, and only the last two that begin
// before a moment can reach over it. That makes the search logarithmic, whoever uploads what.
import type { Session } from './session.ts';

export type KeptSessions<Item extends { readonly session: Session }> = {
  /** Kept in the order of the calls. Sessions without length share no time with anything and are not remembered. */
  keep(item: Item): void;
  /** The one that shares most time with it, if that is more than `share` of the shorter; of equals the one kept first. */
  findSame(item: { readonly session: Session }, share: number): Item | null;
};

export function overlapMs(a: Session, b: Session): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/** `members`: all that may be kept. */
export function createKeptSessions<Item extends { readonly session: Session }>(
  members: readonly { readonly session: Session }[],
): KeptSessions<Item> {
  const starts = Float64Array.from(members, ({ session }) => session.start).sort();
  const leaves = 2 ** Math.ceil(Math.log2(members.length + 1));
  /** A tree over places by start: each node has the longest of those kept below it, or null. */
  const tree: (Kept<Item> | null)[] = new Array(2 * leaves).fill(null);
  const keptAt = (place: number) => tree[leaves + place] as Kept<Item>;
  let count = 0;

  const findLongest = (from: number, to: number): Kept<Item> | null => {
    let longest: Kept<Item> | null = null;
    for (let low = from + leaves, high = to + leaves; low < high; low >>= 1, high >>= 1) {
      if (low & 1) longest = longerOf(longest, tree[low++] ?? null);
      if (high & 1) longest = longerOf(longest, tree[--high] ?? null);
    }
    return longest;
  };

  /** The last kept place before this one, or -1. */
  const findBefore = (place: number): number => {
    let node = place + leaves;
    while (node > 1 && !(node & 1 && tree[node - 1])) node >>= 1;
    if (node <= 1) return -1;
    for (node -= 1; node < leaves; ) node = tree[2 * node + 1] ? 2 * node + 1 : 2 * node;
    return node - leaves;
  };

  const lastTwoBefore = (place: number): number[] => {
    const last = findBefore(place);
    return last === -1 ? [] : [last, findBefore(last)].filter((found) => found !== -1);
  };

  return {
    keep(item) {
      if (lengthOf(item.session) <= 0) return;
      const kept = { item, order: count++ };
      // Of equal starts at most one is kept, so the first place of a start is its own.
      for (let node = leaves + findPlace(starts, item.session.start); node >= 1; node >>= 1)
        tree[node] = node >= leaves ? kept : longerOf(tree[node] ?? null, kept);
    },
    findSame({ session }, share) {
      const [from, to] = [findPlace(starts, session.start), findPlace(starts, session.end)];
      const reaching = lastTwoBefore(to).filter(
        (place) => place >= from && keptAt(place).item.session.end > session.end,
      );
      const within = findLongest(from, Math.min(to, ...reaching));
      const found = [...lastTwoBefore(from), ...reaching].map(keptAt);
      return chooseSame(session, within === null ? found : [...found, within], share);
    },
  };
}

type Kept<Item> = { readonly item: Item; readonly order: number };

function chooseSame<Item extends { readonly session: Session }>(
  session: Session,
  found: readonly Kept<Item>[],
  share: number,
): Item | null {
  const same = found.filter(({ item: { session: other } }) => {
    return overlapMs(session, other) > share * Math.min(lengthOf(session), lengthOf(other));
  });
  same.sort((a, b) => overlapMs(session, b.item.session) - overlapMs(session, a.item.session) || a.order - b.order);
  return same[0]?.item ?? null;
}

function longerOf<Item extends { readonly session: Session }>(
  a: Kept<Item> | null,
  b: Kept<Item> | null,
): Kept<Item> | null {
  if (a === null || b === null) return a ?? b;
  const difference = lengthOf(b.item.session) - lengthOf(a.item.session) || a.order - b.order;
  return difference > 0 ? b : a;
}

/** The first place whose start is not before that. */
function findPlace(starts: Float64Array, start: number): number {
  let low = 0;
  for (let high = starts.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((starts[middle] as number) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lengthOf({ start, end }: Session): number {
  return end - start;
}
