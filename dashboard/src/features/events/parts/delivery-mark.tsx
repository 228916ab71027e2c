import type { LatestEvent } from '../../../shared/event/describe-event.ts';
import { Icon, type IconName } from '../../../shared/ui/icon.tsx';
import styles from '../events.module.css';

type Delivery = LatestEvent['deliveries'][number];

const ICONS: Readonly<Record<Delivery['status'], IconName>> = { pending: 'clock', succeeded: 'check', failed: 'cross' };

/** `text` names the webhook and the state. */
export function DeliveryMark({ delivery, text }: { delivery: Delivery; text: string }) {
  const state = delivery.status === 'pending' && delivery.attempts > 0 ? 'retrying' : delivery.status;
  return (
    <span className={styles.mark} data-state={state} title={text} role="img" aria-label={text}>
      <Icon name={state === 'retrying' ? 'retry' : ICONS[delivery.status]} size={11} />
    </span>
  );
}
