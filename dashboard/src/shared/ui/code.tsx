import type { ReactNode } from 'react';
import styles from './code.module.css';
import { colourJson } from './colour-json.ts';
import { Copy } from './copy.tsx';

type Props = {
  /** A text as it is, or any value as JSON. */
  readonly value: unknown;
  /** Names the block for those who hear it. */
  readonly label: string;
  readonly isCopyable?: boolean;
};

/** A block of code: a command, a body. */
export function Code({ value, label, isCopyable = true }: Props) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <div className={styles.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={styles.code} tabIndex={0} aria-label={label}>
        <pre>{typeof value === 'string' ? value : colour(text)}</pre>
      </section>
      {isCopyable && (
        <span className={styles.copy}>
          <Copy text={text} what={label} />
        </span>
      )}
    </div>
  );
}

function colour(json: string): ReactNode {
  let at = 0;
  return colourJson(json).map(({ kind, text }) => {
    at += text.length;
    return kind === 'plain' ? (
      text
    ) : (
      <span key={at} className={styles[kind]}>
        {text}
      </span>
    );
  });
}
