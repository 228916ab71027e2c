import { type ReactNode, useEffect } from 'react';
import { Mark } from '../../../shared/ui/mark.tsx';
import styles from './outside-card.module.css';

/** The card of a page without a session, as on the hosted pages. */
export function OutsideCard({ title, children }: { title: string; children: ReactNode }) {
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
        {children}
      </div>
    </main>
  );
}
