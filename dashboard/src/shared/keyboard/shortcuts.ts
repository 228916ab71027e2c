// Shortcuts of the page. Whatever is on screen registers its own; `?` lists those that are registered.
import { useEffect, useRef } from 'react';

type Shortcut = {
  /** One key (`j`, `/`, `ArrowLeft`), a sequence (`g h`), or with ⌘ or Ctrl (`mod+k`). */
  readonly keys: string;
  readonly words: string;
  readonly run: (event: KeyboardEvent) => void;
};

const SEQUENCE_MS = 1_500; // time for the second key of a sequence
const EDITABLE = 'input, textarea, select, [contenteditable]';
const PRESSABLE = 'a, button, summary';
const CHOICES = '[type=radio], [type=checkbox]'; // Escape means nothing to them

/** The last one registered for the same keys wins. */
const registered: Shortcut[] = [];
let pending: { readonly key: string; readonly atMs: number } | null = null;

/** The newest `run` is called, so callers need not memoize it. */
export function useShortcut(keys: string, words: string, run: Shortcut['run'], isOn = true): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    return isOn ? addShortcut({ keys, words, run: (event) => latest.current(event) }) : undefined;
  }, [keys, words, isOn]);
}

/** Returns what removes it again. */
export function addShortcut(shortcut: Shortcut): () => void {
  registered.push(shortcut);
  return () => void registered.splice(registered.indexOf(shortcut), 1);
}

/** In the order of their registration, one per keys. */
export function listShortcuts(): readonly Pick<Shortcut, 'keys' | 'words'>[] {
  return [...new Map(registered.map((shortcut) => [shortcut.keys, shortcut])).values()];
}

export function listenForShortcuts(): () => void {
  window.addEventListener('keydown', handleKey);
  return () => window.removeEventListener('keydown', handleKey);
}

function handleKey(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.altKey) return;
  const keys = readKeys(event);
  const isTyping = event.target instanceof Element && event.target.closest(EDITABLE) !== null;
  const isModal = document.querySelector('dialog[open]') !== null;
  const control = event.target instanceof Element ? event.target : null;
  // Enter and space press the control that has the focus.
  const isPress = (keys === 'Enter' || keys === ' ') && control?.closest(PRESSABLE) != null;
  const leavesChoice = keys === 'Escape' && control?.matches(CHOICES) === true;
  if ((isTyping && !keys.startsWith('mod+') && !leavesChoice) || isModal || isPress) return;
  const sequence = pending !== null && event.timeStamp - pending.atMs < SEQUENCE_MS ? `${pending.key} ${keys}` : null;
  const found = (sequence !== null ? find(sequence) : undefined) ?? find(keys);
  pending = found === undefined && startsSequence(keys) ? { key: keys, atMs: event.timeStamp } : null;
  if (found === undefined) return;
  event.preventDefault();
  found.run(event);
}

function readKeys(event: KeyboardEvent): string {
  return event.metaKey || event.ctrlKey ? `mod+${event.key.toLowerCase()}` : event.key;
}

function find(keys: string): Shortcut | undefined {
  return registered.findLast((shortcut) => shortcut.keys === keys);
}

function startsSequence(key: string): boolean {
  return registered.some((shortcut) => shortcut.keys.startsWith(`${key} `));
}
