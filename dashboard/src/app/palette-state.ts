import { useSyncExternalStore } from 'react';

let isOpen = false;
const listeners = new Set<() => void>();

export const openPalette = () => change(true);
export const closePalette = () => change(false);

export function usePaletteOpen(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(value: boolean): void {
  isOpen = value;
  for (const listener of listeners) listener();
}
