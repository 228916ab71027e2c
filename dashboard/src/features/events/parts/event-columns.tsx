import { describeEvent, type LatestEvent, nameOfUser, timeOfEvent } from '../../../shared/event/describe-event.ts';
import { EventMark } from '../../../shared/event/event-mark.tsx';
import { EVENT_WORDS } from '../../../shared/event/event-types.ts';
import { dateTime } from '../../../shared/time/format-time.ts';
import type { Column } from '../../../shared/ui/list.tsx';
import { describeDelivery } from '../describe-delivery.ts';
import styles from '../events.module.css';
import type { WebhookNames } from '../use-webhook-names.ts';
import { words } from '../words.ts';
import { DeliveryMark } from './delivery-mark.tsx';

type Options = {
  readonly openId: string | null;
  readonly names: WebhookNames;
  readonly onOpen: (id: string) => void;
};

export function listColumns({ openId, names, onOpen }: Options): readonly Column<LatestEvent>[] {
  return [
    {
      name: words.time,
      narrow: 'first',
      cell: (event) => (
        <button
          type="button"
          className={styles.time}
          aria-expanded={event.id === openId}
          aria-label={words.open(`${EVENT_WORDS[event.type]}, ${nameOfUser(event)}, ${timeOfEvent(event.at)}`)}
          onClick={() => onOpen(event.id)}
        >
          <time dateTime={event.at} title={dateTime(event.at)}>
            {timeOfEvent(event.at)}
          </time>
          <EventMark type={event.type} />
        </button>
      ),
    },
    { name: words.user, narrow: 'first', cell: (event) => <b className={styles.user}>{nameOfUser(event)}</b> },
    { name: words.what, narrow: 'first', cell: ({ type }) => <span title={type}>{EVENT_WORDS[type]}</span> },
    {
      name: words.detail,
      narrow: 'second',
      cell: (event) => <span className={styles.detail}>{describeEvent(event)}</span>,
    },
    {
      name: words.deliveries,
      isNameHidden: true,
      isNumber: true,
      narrow: 'second',
      cell: ({ deliveries }) => (
        <span className={styles.marks}>
          {deliveries.map((delivery) => (
            <DeliveryMark key={delivery.id} delivery={delivery} text={describeDelivery(delivery, names)} />
          ))}
        </span>
      ),
    },
  ];
}
