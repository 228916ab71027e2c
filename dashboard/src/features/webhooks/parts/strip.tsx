import { describeState } from '../describe-delivery.ts';
import type { Webhook } from '../queries.ts';
import styles from '../webhooks.module.css';
import { words } from '../words.ts';

const STROKES = 40;

/** A stroke per delivery, the newest at the right. */
export function Strip({ entries }: { entries: Webhook['health']['strip'] }) {
  const failed = entries.filter(({ last_error }) => last_error !== null).length;
  const empty = Array.from({ length: Math.max(0, STROKES - entries.length) }, (_, index) => index);
  return (
    <div className={styles.strip} role="img" aria-label={words.strip(failed, entries.length)}>
      {empty.map((index) => (
        <i key={index} />
      ))}
      {entries.toReversed().map(({ id, status, attempts }) => (
        <i key={id} data-tone={describeState({ status, attempt_count: attempts }).tone} />
      ))}
    </div>
  );
}
