import { useQuery } from '@tanstack/react-query';
import { isApiError } from '../../../api/client.ts';
import { describeEvent, nameOfUser } from '../../../shared/event/describe-event.ts';
import { EventMark } from '../../../shared/event/event-mark.tsx';
import { eventWords } from '../../../shared/event/event-types.ts';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { dateTime } from '../../../shared/time/format-time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { Empty } from '../../../shared/ui/states.tsx';
import styles from '../events.module.css';
import { type EventFilter, eventQuery } from '../queries.ts';
import type { WebhookNames } from '../use-webhook-names.ts';
import { words } from '../words.ts';
import { EventDetail } from './event-detail.tsx';

type Props = {
  readonly id: string;
  readonly names: WebhookNames;
  readonly onClose: () => void;
  readonly onFilter: (filter: EventFilter) => void;
};

/** The event of a link that is not in the list, because it is older or another filter is set. */
export function LinkedEvent({ id, names, onClose, onFilter }: Props) {
  const query = useQuery(eventQuery(useEnvironment(), id));
  const close = (
    <Button icon="cross" kind="ghost" onClick={onClose}>
      {words.close}
    </Button>
  );
  if (isApiError(query.error, 'not_found'))
    return (
      <Card>
        <Empty title={words.eventNotFound} action={close}>
          {words.eventNotFoundNote}
        </Empty>
      </Card>
    );
  return (
    <Card title={words.linked} actions={close}>
      <Loaded query={query} what={words.notLoaded}>
        {({ data: event }) => (
          <>
            <p className={styles.linked}>
              <EventMark type={event.type} />
              <span>
                <b>{nameOfUser(event)}</b> {eventWords(event.type)}, {dateTime(event.at)}
              </span>
              <small>{describeEvent(event)}</small>
            </p>
            <EventDetail event={event} names={names} onFilter={onFilter} />
          </>
        )}
      </Loaded>
    </Card>
  );
}
