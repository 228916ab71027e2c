// The id of an entry of the live stream: how far the reader has seen events and requests. A browser sends it as
// Last-Event-ID when it connects again.

export type LiveCursor = { readonly event: number; readonly request: number };

const CURSOR = /^e(\d{1,15})r(\d{1,15})$/;

export function writeLiveCursor({ event, request }: LiveCursor): string {
  return `e${event}r${request}`;
}

/** Null: not one of ours. */
export function parseLiveCursor(text: string): LiveCursor | null {
  const match = CURSOR.exec(text);
  return match === null ? null : { event: Number(match[1]), request: Number(match[2]) };
}
