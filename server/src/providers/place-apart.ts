// A watch measures all day, a cuff now and then, and both may name the same second. They are two measurements, but a sample is known
// by its start: whichever came last would stand, and the next poll would turn it round. Providers tell seconds, so that every
// instrument but the one that measures all day has a millisecond of its own in them.

/** Which one it is. What it measured keeps its number for good: it is known by it. */
export function placeApart<At extends { readonly start: number; readonly end?: number }>(
  at: At,
  instrument: 1 | 2,
): At {
  return { ...at, start: at.start + instrument, ...(at.end !== undefined && { end: at.end + instrument }) };
}
