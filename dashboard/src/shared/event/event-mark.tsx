import styles from './event-mark.module.css';
import type { EventType } from './event-types.ts';

/** A shape per type. The words stand beside it, so it is not read aloud. */
export function EventMark({ type }: { type: EventType }) {
  return (
    <svg className={styles.mark} data-type={type} width={10} height={10} viewBox="0 0 10 10" aria-hidden="true">
      <path d={SHAPES[type]} />
    </svg>
  );
}

const DISC = 'M5 1a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z';
const BOX = 'M1.5 1.5h7v7h-7Z';
const SHAPES: Readonly<Record<EventType, string>> = {
  'data.updated': DISC,
  'score.updated': DISC,
  'device.connected': BOX,
  'device.disconnected': BOX,
  'device.failed': 'M5 1 9.3 9H.7Z',
  'device.backfilled': BOX,
  'subject.synced': 'M5 .5 9.5 5 5 9.5.5 5Z',
  'user.deleted': 'M2 2l6 6M8 2l-6 6',
};
