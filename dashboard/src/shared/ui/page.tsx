import { type ReactNode, useEffect } from 'react';
import styles from './page.module.css';

type Props = {
  readonly title: string;
  /** One line below the title: the shown data, and its time. */
  readonly note?: ReactNode;
  readonly crumbs?: ReactNode;
  readonly actions?: ReactNode;
  /** Shows a thin moving line under the title while newer data loads. */
  readonly isRefreshing?: boolean;
  readonly children: ReactNode;
};

export function Page({ title, note, crumbs, actions, isRefreshing = false, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Tributary`;
  }, [title]);
  return (
    <>
      <header className={styles.head}>
        <div className={styles.words}>
          {crumbs && <p className={styles.crumbs}>{crumbs}</p>}
          <h1>{title}</h1>
          {note && <div className={styles.note}>{note}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
        <span className={styles.progress} data-on={isRefreshing || undefined} />
      </header>
      {children}
    </>
  );
}
