// The order in which the sessions of a cluster have their turn when a fragment waits for the session it is part of.
import type { Session } from './session.ts';

type Ranked = { readonly session: Session };

/**
 * A watch that died at three does not replace the ring's night: a fragment waits until the session it gives way to has had its
 * turn, and is never raised by that. Always the best of those that need not wait is next.
 */
export function demoteFragments<Candidate extends Ranked>(
  ranked: readonly Candidate[],
  minCoverage: number,
): Candidate[] {
  const waiting = Map.groupBy(ranked.keys(), findWholes(ranked, minCoverage));
  const ordered: Candidate[] = [];
  const ready = createHeap();
  for (const place of waiting.get(null) ?? []) ready.push(place);
  for (let next = ready.pop(); next !== null; next = ready.pop()) {
    ordered.push(ranked[next] as Candidate);
    for (const place of waiting.get(next) ?? []) ready.push(place);
  }
  return ordered;
}

/**
 * By place: the place of the session of which it is a fragment, or null. That is the longest that overlaps it, of equally
 * long ones the best. Only a longer one can be (a session covers itself), so that none waits for itself.
 */
function findWholes(ranked: readonly Ranked[], minCoverage: number): (place: number) => number | null {
  const longest = findLongestOverlapping(ranked.map(({ session }) => session));
  return (place) => {
    const found = longest[place] as number;
    const [own, other] = [ranked[place]?.session, ranked[found]?.session];
    if (own === undefined || other === undefined || lengthOf(other) <= lengthOf(own)) return null;
    const sharedMs = Math.min(own.end, other.end) - Math.max(own.start, other.start);
    return sharedMs < minCoverage * lengthOf(other) ? found : null;
  };
}

/** Sessions are let in as they begin before a session's end; those let in that end after its start overlap it. -1: none does. */
function findLongestOverlapping(sessions: readonly Session[]): Int32Array {
  const longest = new Int32Array(sessions.length).fill(-1);
  const places = sessions.flatMap((session, place) => (lengthOf(session) > 0 ? [place] : [])); // others share no time
  const at = (place: number) => sessions[place] as Session;
  const byStart = places.toSorted((a, b) => at(a).start - at(b).start);
  const byEnd = places.toSorted((a, b) => at(b).end - at(a).end);
  const isBetter = (a: number, b: number) =>
    b === -1 || lengthOf(at(a)) > lengthOf(at(b)) || (lengthOf(at(a)) === lengthOf(at(b)) && a < b);
  const ends = Float64Array.from(byEnd, (place) => -at(place).end); // ascending
  const latest = createPrefixBest(places.length, isBetter);
  let next = 0;
  for (const place of byEnd.toReversed()) {
    for (let other = byStart[next]; other !== undefined && at(other).start < at(place).end; other = byStart[++next])
      latest.add(countBelow(ends, -at(other).end), other);
    longest[place] = latest.bestOf(countBelow(ends, -at(place).start));
  }
  return longest;
}

/** The best of what was added at the first so many indexes (a Fenwick tree); -1 for none. */
function createPrefixBest(size: number, isBetter: (a: number, b: number) => boolean) {
  const tree = new Int32Array(size + 1).fill(-1);
  return {
    add(index: number, item: number): void {
      for (let node = index + 1; node <= size; node += node & -node)
        if (isBetter(item, tree[node] as number)) tree[node] = item;
    },
    bestOf(count: number): number {
      let best = -1;
      for (let node = count; node > 0; node -= node & -node) {
        const item = tree[node] as number;
        if (item !== -1 && isBetter(item, best)) best = item;
      }
      return best;
    },
  };
}

/** Numbers, the smallest first. */
function createHeap() {
  const heap: number[] = [];
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b] as number, heap[a] as number];
  };
  const isLess = (a: number, b: number) =>
    (heap[a] ?? Number.POSITIVE_INFINITY) < (heap[b] ?? Number.POSITIVE_INFINITY);
  return {
    push(value: number): void {
      heap.push(value);
      for (let at = heap.length - 1; at > 0 && isLess(at, (at - 1) >> 1); at = (at - 1) >> 1) swap(at, (at - 1) >> 1);
    },
    pop(): number | null {
      const top = heap[0];
      const last = heap.pop();
      if (top === undefined || last === undefined) return null;
      if (heap.length === 0) return top;
      heap[0] = last;
      for (let at = 0; ; ) {
        const child = isLess(2 * at + 2, 2 * at + 1) ? 2 * at + 2 : 2 * at + 1;
        if (!isLess(child, at)) return top;
        swap(at, child);
        at = child;
      }
    },
  };
}

function countBelow(ascending: Float64Array, limit: number): number {
  let low = 0;
  for (let high = ascending.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lengthOf({ start, end }: Session): number {
  return end - start;
}
