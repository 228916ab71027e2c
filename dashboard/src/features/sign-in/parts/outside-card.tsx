import { type ReactNode, useEffect } from 'react';
import { Mark } from '../../../shared/ui/mark.tsx';
import styles from './outside-card.module.css';

type Props = {
  readonly title: string;
  readonly note?: string;
  /** Below the card: the way to another page. */
  readonly foot?: ReactNode;
  readonly children: ReactNode;
};

/** The card of a page without a session, as on the hosted pages. */
export function OutsideCard({ title, note, foot, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Tributary`;
  }, [title]);
  return (
    <main className={styles.outside}>
      <p className={styles.brand}>
        <Mark size={28} />
        Tributary
      </p>
      <div className={styles.card}>
        <h1>{title}</h1>
        {note && <p className={styles.note}>{note}</p>}
        {children}
      </div>
      {foot && <p className={styles.foot}>{foot}</p>}
    </main>
  );
}
