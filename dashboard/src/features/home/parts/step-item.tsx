import type { ReactNode } from 'react';
import { HiddenText } from '../../../shared/ui/hidden-text.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import styles from '../first-steps.module.css';
import { words } from '../words.ts';

type Props = {
  readonly number: number;
  readonly title: string;
  readonly note: string;
  readonly isDone: boolean;
  readonly isNext: boolean;
  readonly children: ReactNode;
};

export function StepItem({ number, title, note, isDone, isNext, children }: Props) {
  return (
    <li className={styles.step} data-done={isDone || undefined} aria-current={isNext ? 'step' : undefined}>
      <span className={styles.mark} aria-hidden="true">
        {isDone ? <Icon name="check" size={15} /> : number}
      </span>
      <div className={styles.body}>
        <h2>
          {title}
          {isDone && <HiddenText>, {words.done}</HiddenText>}
        </h2>
        <p className={styles.note}>{note}</p>
        {children}
      </div>
    </li>
  );
}
