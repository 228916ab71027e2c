import { type ReactNode, useEffect, useRef } from 'react';
import styles from './tabs.module.css';

/** A row of links, each with `aria-current` when it is open. Tabs have addresses, so they are links. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const tabs = useRef<HTMLElement>(null);
  // In a narrow window the open one may be out of sight.
  useEffect(() => {
    const row = tabs.current;
    const open = row?.querySelector<HTMLElement>('[aria-current]');
    if (row && open) row.scrollLeft = open.offsetLeft + open.offsetWidth - row.clientWidth;
  });
  return (
    <nav ref={tabs} className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  );
}

type Choice<Value extends string> = { readonly value: Value; readonly text: string; readonly count?: number };

type ChoiceProps<Value extends string> = {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** One of a few, in one control: hour, day, week. */
export function Segments<Value extends string>({ label, choices, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className={styles.segments} aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.text}
        </button>
      ))}
    </fieldset>
  );
}

/** Filters of a list, with counts where they are known. */
export function Chips<Value extends string>({ label, choices, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className={styles.chips} aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.text}
          {choice.count !== undefined && <span>{choice.count}</span>}
        </button>
      ))}
    </fieldset>
  );
}
