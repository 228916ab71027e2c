// A watch measures all day, a cuff now and then, and both may report the same second. A sample is identified by its start, so one
// would overwrite the other, and the next poll would swap them. Providers report seconds, so every instrument except the
// continuous one gets its own millisecond.

/** The number of the instrument. It must never change, because it is part of the stored start. */
export function placeApart<At extends { readonly start: number; readonly end?: number }>(
  at: At,
  instrument: 1 | 2,
): At {
  return { ...at, start: at.start + instrument, ...(at.end !== undefined && { end: at.end + instrument }) };
}
