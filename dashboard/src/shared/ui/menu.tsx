import { type ReactNode, useEffect, useRef } from 'react';
import { joinClasses } from './join-classes.ts';
import styles from './menu.module.css';

type Props = {
  /** The visible part of the closed menu. */
  readonly face: ReactNode;
  /** Its name, if the face is a picture. */
  readonly label?: string;
  readonly side?: 'start' | 'end';
  readonly opensUp?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
};

/** A button that opens a few actions: links and buttons. Escape, a click elsewhere or an action closes it. */
export function Menu({ face, label, side = 'end', opensUp = false, className, children }: Props) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event) => {
      const details = menu.current;
      if (!details?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        details.open = false;
        details.querySelector('summary')?.focus();
      } else if (event.target instanceof Node && !details.contains(event.target)) details.open = false;
    };
    document.addEventListener('click', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('click', close);
      document.removeEventListener('keydown', close);
    };
  }, []);
  return (
    <details ref={menu} className={joinClasses(styles.menu, className)}>
      <summary aria-label={label} title={label}>
        {face}
      </summary>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: pressing a button or a link by key is a click */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: closes the menu after one of its actions */}
      <div
        className={joinClasses(styles.panel, side === 'end' ? styles.end : styles.start, opensUp && styles.up)}
        onClick={(event) => {
          const isAction = event.target instanceof Element && event.target.closest('a, button') !== null;
          if (isAction && menu.current) menu.current.open = false;
        }}
      >
        {children}
      </div>
    </details>
  );
}

/** Words inside a menu, above its actions. */
export function MenuNote({ children }: { children: ReactNode }) {
  return <div className={styles.note}>{children}</div>;
}
