import type { ReactNode } from 'react';
import { HiddenText } from './hidden-text.tsx';
import { Icon, type IconName } from './icon.tsx';
import { joinClasses } from './join-classes.ts';
import styles from './pill.module.css';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

const GLYPHS: Partial<Record<Tone, IconName>> = { good: 'check', warn: 'warn', bad: 'warn' };

/** A state in a word. Good, warn and bad have a glyph too, so that colour is never alone. */
export function Pill({ tone = 'plain', icon, children }: { tone?: Tone; icon?: IconName; children: ReactNode }) {
  const glyph = icon ?? GLYPHS[tone];
  return (
    <span className={joinClasses(styles.pill, tone !== 'plain' && styles[tone])}>
      {glyph && <Icon name={glyph} size={12} />}
      {children}
    </span>
  );
}

/** A number beside a title or an entry. */
export function Count({ tone = 'plain', label, value }: { tone?: 'plain' | 'bad'; label?: string; value: number }) {
  return (
    <span className={joinClasses(styles.count, tone === 'bad' && styles.bad)} title={label}>
      {value}
      {label && <HiddenText> {label}</HiddenText>}
    </span>
  );
}
