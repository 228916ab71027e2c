// ⌘K: the search, which is loaded when it is first opened.
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useShortcut } from '../shared/keyboard/shortcuts.ts';
import { openPalette, usePaletteOpen } from './palette-state.ts';
import { words } from './words.ts';

const PaletteDialog = lazyRouteComponent(() => import('./palette-dialog.tsx'), 'PaletteDialog');

export function Palette() {
  useShortcut('mod+k', words.search, openPalette);
  useShortcut('/', words.search, openPalette);
  const isOpen = usePaletteOpen();
  return <Suspense>{isOpen && <PaletteDialog />}</Suspense>;
}
