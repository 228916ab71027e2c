import type { ReactNode } from 'react';
import styles from './callout.module.css';
import { Icon, type IconName } from './icon.tsx';
import { joinClasses } from './join-classes.ts';

type Tone = 'info' | 'good' | 'warn' | 'bad';

const GLYPHS: Record<Tone, IconName> = { info: 'info', good: 'check', warn: 'warn', bad: 'warn' };

type Props = {
  readonly tone?: Tone;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly isAnnounced?: boolean;
};

/** A sentence that explains a state. `isAnnounced` reads it aloud when it appears. */
export function Callout({ tone = 'info', actions, children, isAnnounced = false }: Props) {
  return (
    <div className={joinClasses(styles.callout, styles[tone])} role={isAnnounced ? 'alert' : undefined}>
      <Icon name={GLYPHS[tone]} size={17} />
      <div className={styles.text}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
