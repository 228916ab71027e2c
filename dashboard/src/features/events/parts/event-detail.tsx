import type { LatestEvent } from '../../../shared/event/describe-event.ts';
import { EnvironmentLink } from '../../../shared/routing/environment-link.tsx';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Button, buttonClass } from '../../../shared/ui/button.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Copy } from '../../../shared/ui/copy.tsx';
import { describeDelivery } from '../describe-delivery.ts';
import styles from '../events.module.css';
import type { EventFilter } from '../queries.ts';
import type { WebhookNames } from '../use-webhook-names.ts';
import { words } from '../words.ts';
import { DeliveryMark } from './delivery-mark.tsx';

type Props = {
  readonly event: LatestEvent;
  readonly names: WebhookNames;
  readonly onFilter: (filter: EventFilter) => void;
};

/** The event as webhooks send it, and where to continue. */
export function EventDetail({ event, names, onFilter }: Props) {
  const environment = useEnvironment();
  const link = `${window.location.origin}/dashboard/${environment}/events?event=${event.id}`;
  return (
    <div className={styles.opened}>
      <Code value={JSON.parse(event.body)} label={words.body} />
      <div className={styles.actions}>
        <EnvironmentLink path={`users/${event.user_id}`} className={buttonClass()}>
          {words.openUser}
        </EnvironmentLink>
        <Button onClick={() => onFilter({ user: event.user_id })}>{words.onlyUser}</Button>
        <Copy text={link}>{words.copyLink}</Copy>
      </div>
      {event.deliveries.length > 0 && (
        <ul className={styles.deliveries} aria-label={words.deliveries}>
          {event.deliveries.map((delivery) => (
            <li key={delivery.id}>
              <DeliveryLink delivery={delivery} text={describeDelivery(delivery, names)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function DeliveryLink({ delivery, text }: { delivery: LatestEvent['deliveries'][number]; text: string }) {
  return (
    <EnvironmentLink path={`webhooks/${delivery.webhook_id}?delivery=${delivery.id}`}>
      <DeliveryMark delivery={delivery} text={text} />
      <span aria-hidden="true">{text}</span>
    </EnvironmentLink>
  );
}
