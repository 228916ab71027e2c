import { useEffect, useState } from 'react';
import { useShortcut } from '../../shared/keyboard/shortcuts.ts';
import { words } from './words.ts';

const TOP_PX = 80; // further down, rows that arrive would move the text that is being read

/** The tail pauses while it is read: the pointer is on it, a row is open, or it is scrolled; or when somebody says so. */
export function usePause(isRowOpen: boolean) {
  const [choice, setChoice] = useState<'pause' | 'follow' | null>(null);
  const [isPointed, setPointed] = useState(false);
  const isScrolled = useScrolled();
  const isRead = isPointed || isRowOpen || isScrolled;
  // To follow although it is read is meant for this reading only.
  useEffect(() => {
    if (!isRead) setChoice((old) => (old === 'follow' ? null : old));
  }, [isRead]);
  const isPaused = choice === 'pause' || (isRead && choice !== 'follow');
  const toggle = () => setChoice(isPaused ? (isRead ? 'follow' : null) : 'pause');
  useShortcut(' ', words.pauseOrFollow, toggle);
  return { isPaused, toggle, setPointed };
}

function useScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const read = () => setScrolled(window.scrollY > TOP_PX);
    read();
    window.addEventListener('scroll', read, { passive: true });
    return () => window.removeEventListener('scroll', read);
  }, []);
  return isScrolled;
}
