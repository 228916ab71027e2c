// The open search: the typed text, the results, and the keys to move in them.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useEnvironment } from '../shared/routing/use-environment.ts';
import { useSession } from '../shared/session/session.ts';
import { useDebounced } from '../shared/time/use-debounced.ts';
import { Icon } from '../shared/ui/icon.tsx';
import { Keycap } from '../shared/ui/keycap.tsx';
import { listGroups } from './navigation.ts';
import styles from './palette.module.css';
import { listEntries, type PaletteEntry, searchQuery } from './palette-entries.ts';
import { closePalette } from './palette-state.ts';
import { words } from './words.ts';

const TYPING_MS = 150;

/** `typed`: the text that was typed before the search was loaded. */
export function OpenPalette({ typed }: { typed: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState(typed);
  const [at, setAt] = useState(0);
  const { entries, isSearching } = useEntries(text);
  const router = useRouter();
  const marked = Math.min(at, entries.length - 1);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const open = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    closePalette();
    void router.navigate({ href: entry.href });
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt(Math.max(0, Math.min(entries.length - 1, marked + step)));
    else if (event.key === 'Enter') open(entries[marked]);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key, and the element itself handles it
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={words.search}
      onClose={closePalette}
      onClick={(event) => event.target === dialog.current && closePalette()}
    >
      <div className={styles.field}>
        <Icon name="search" size={18} />
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-entries"
          aria-activedescendant={entries[marked] && `palette-${marked}`}
          aria-label={words.search}
          placeholder={words.searchHint}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={handleKey}
        />
        <Keycap keys="esc" />
      </div>
      <div id="palette-entries" role="listbox" aria-label={words.found} className={styles.entries}>
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={entry.href + entry.title}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === marked}
            className={styles.entry}
            onClick={() => open(entry)}
            onPointerMove={() => setAt(index)}
          >
            <Icon name={entry.icon} size={16} />
            <span>{entry.title}</span>
            <small>{entry.subtitle}</small>
            {entry.keys && <Keycap keys={entry.keys} />}
          </div>
        ))}
      </div>
      {entries.length === 0 && <p className={styles.none}>{isSearching ? words.searching : words.nothingFound}</p>}
    </dialog>
  );
}

function useEntries(text: string) {
  const environment = useEnvironment();
  const router = useRouter();
  const session = useSession();
  const wanted = useDebounced(text.trim(), TYPING_MS);
  const search = useQuery({
    ...searchQuery(environment, wanted),
    enabled: wanted !== '',
    placeholderData: keepPreviousData,
  });
  const groups = listGroups(router, session?.member.is_operator ?? false);
  const entries = listEntries({
    text: text.trim(),
    environment,
    groups,
    found: wanted === '' ? [] : (search.data ?? []),
  });
  return { entries, isSearching: search.isFetching || wanted !== text.trim() };
}
