// Whether the last call reached the service. The shell shows a line while it does not.

/** When the service was first not reached, in milliseconds; null while it answers. */
let lostSinceMs: number | null = null;
const listeners = new Set<() => void>();

export function reportAnswer(): void {
  change(null);
}

export function reportNoAnswer(): void {
  change(lostSinceMs ?? Date.now());
}

export function readLostSince(): number | null {
  return lostSinceMs;
}

export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(sinceMs: number | null): void {
  if (sinceMs === lostSinceMs) return;
  lostSinceMs = sinceMs;
  for (const listener of listeners) listener();
}
