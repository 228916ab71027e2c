import type { ReactNode } from 'react';
import styles from './figure.module.css';

type Props = {
  readonly label: string;
  readonly value: ReactNode;
  /** Its time, its zone, its source. */
  readonly note?: ReactNode;
  readonly isBad?: boolean;
};

/** A number with its name and a note. Several stand in <Figures>. */
export function Figure({ label, value, note, isBad = false }: Props) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd className={styles.value}>{value}</dd>
      {note && <dd className={isBad ? styles.bad : styles.note}>{note}</dd>}
    </div>
  );
}

export function Figures({ children }: { children: ReactNode }) {
  return <dl className={styles.figures}>{children}</dl>;
}
