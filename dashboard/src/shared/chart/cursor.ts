// The position that all charts of a page share. A store outside of React's state, so that moving it renders only what shows it.
import { useSyncExternalStore } from 'react';

export type Cursor = {
  get(): number;
  /** Kept within the limits. */
  set(index: number): void;
  subscribe(listener: () => void): () => void;
};

export function createCursor(count: number, start: number): Cursor {
  const listeners = new Set<() => void>();
  const limit = (index: number) => Math.min(Math.max(0, count - 1), Math.max(0, Math.round(index)));
  let current = limit(start);
  return {
    get: () => current,
    set(index) {
      const next = limit(index);
      if (next === current) return;
      current = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useCursor(cursor: Cursor): number {
  return useSyncExternalStore(cursor.subscribe, cursor.get);
}

/** The move of a key, in steps; null: not a key of a slider. */
export function stepOfKey(key: string, count: number): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -4,
    PageUp: 4,
    Home: -count,
    End: count,
  };
  return steps[key] ?? null;
}
