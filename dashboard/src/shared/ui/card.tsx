import { type ReactNode, useId } from 'react';
import styles from './card.module.css';
import { joinClasses } from './join-classes.ts';

type Props = {
  readonly title?: ReactNode;
  /** Read aloud in place of the title, where several cards have the same. */
  readonly label?: string;
  /** Beside the title: a count, a pill. */
  readonly badge?: ReactNode;
  readonly actions?: ReactNode;
  /** The content reaches the edges: lists and tables. */
  readonly isFlush?: boolean;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
};

export function Card({ title, label, badge, actions, isFlush = false, className, children }: Props) {
  const id = useId();
  return (
    <section
      className={joinClasses(styles.card, isFlush && styles.flush, className)}
      aria-label={label}
      aria-labelledby={title && !label ? id : undefined}
    >
      {(title || actions) && (
        <header className={styles.head}>
          {title && <h2 id={id}>{title}</h2>}
          {badge}
          {actions && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
