import styles from './mark.module.css';

/** The mark of Tributary: three streams join into one. */
export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg className={styles.mark} viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <path className={styles.first} d="M4 5c7 0 7 11 15 11" />
      <path className={styles.second} d="M4 16h15" />
      <path className={styles.third} d="M4 27c7 0 7-11 15-11" />
      <path className={styles.joined} d="M17 16h11" />
    </svg>
  );
}
