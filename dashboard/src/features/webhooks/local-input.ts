/** The value of a `datetime-local` field, in the zone of the reader: 2026-11-15T19:04. */
export function localInput(atMs: number): string {
  const at = new Date(atMs);
  return new Date(atMs - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
