// ⌘K: finds users, webhooks and anything with an id, and goes to pages. Loaded when it is opened for the first time.
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useShortcut } from '../shared/keyboard/shortcuts.ts';
import { openPalette, usePaletteOpen } from './palette-state.ts';
import { words } from './words.ts';

const OpenPalette = lazyRouteComponent(() => import('./open-palette.tsx'), 'OpenPalette');

export function Palette() {
  useShortcut('mod+k', words.search, openPalette);
  useShortcut('/', words.search, openPalette);
  return usePaletteOpen() ? (
    <Suspense>
      <OpenPalette />
    </Suspense>
  ) : null;
}
