// ⌘K: finds users, webhooks and anything with an id, and goes to pages. Loaded when it is opened for the first time.
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useShortcut } from '../shared/keyboard/shortcuts.ts';
import { openPalette, usePaletteOpen } from './palette-state.ts';
import { words } from './words.ts';

const OpenPalette = lazyRouteComponent(() => import('./open-palette.tsx'), 'OpenPalette');

export function Palette() {
  const isOpen = usePaletteOpen();
  const [typed, setTyped] = useState('');
  useShortcut('mod+k', words.search, openPalette);
  useShortcut('/', words.search, openPalette);
  useEffect(() => {
    if (!isOpen) setTyped('');
  }, [isOpen]);
  if (!isOpen) return null;
  // Keys that are pressed while it loads are not lost.
  const early = (
    <input
      ref={(input) => input?.focus()}
      aria-label={words.search}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
  return (
    <Suspense fallback={early}>
      <OpenPalette typed={typed} />
    </Suspense>
  );
}
