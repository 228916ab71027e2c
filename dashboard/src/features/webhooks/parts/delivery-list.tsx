import { eventWords } from '../../../shared/event/event-types.ts';
import { DAY_MS } from '../../../shared/time/durations.ts';
import { clockSeconds, dateTime, shortDateTime } from '../../../shared/time/format-time.ts';
import { Icon } from '../../../shared/ui/icon.tsx';
import { type Column, List } from '../../../shared/ui/list.tsx';
import styles from '../deliveries.module.css';
import { describeState, lastAnswer } from '../describe-delivery.ts';
import { describeContent } from '../events.ts';
import type { Delivery } from '../queries.ts';
import { words } from '../words.ts';

type Props = {
  readonly rows: readonly Delivery[];
  readonly openId: string | null;
  readonly onOpen: (delivery: Delivery) => void;
  readonly more: { readonly load: () => void; readonly isLoading: boolean } | null;
  readonly csv: { readonly name: string; readonly load: () => Promise<string> };
  /** Further columns, between the two. */
  readonly columns?: readonly Column<Delivery>[];
};

/** Two lines per delivery: who and what; when, and how it was answered. */
export function DeliveryList({ rows, openId, onOpen, more, csv, columns = [] }: Props) {
  return (
    <div className={styles.list}>
      <List
        label={words.deliveries}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[mainColumn(onOpen, openId), ...columns, sideColumn]}
        openKey={openId}
        onOpen={onOpen}
        more={more}
        csv={csv}
      />
    </div>
  );
}

function mainColumn(onOpen: Props['onOpen'], openId: string | null): Column<Delivery> {
  return {
    name: words.delivery,
    isNameHidden: true,
    narrow: 'first',
    cell: (delivery) => {
      const { tone, icon, text } = describeState(delivery);
      return (
        <button
          type="button"
          className={styles.main}
          aria-current={delivery.id === openId || undefined}
          onClick={() => onOpen(delivery)}
        >
          <span className={styles.state} data-tone={tone} title={text}>
            <Icon name={icon} size={13} />
          </span>
          <span className={styles.words}>
            <span>
              <b>{whoOf(delivery)}</b> {eventWords(delivery.event_type)}
            </span>
            <small>{describeContent(delivery)}</small>
          </span>
        </button>
      );
    },
  };
}

const sideColumn: Column<Delivery> = {
  name: words.created,
  isNameHidden: true,
  isNumber: true,
  cell: (delivery) => (
    <span className={styles.side}>
      <time dateTime={delivery.created_at} title={dateTime(delivery.created_at)}>
        {timeOf(delivery.created_at)}
      </time>
      <small>
        {lastAnswer(delivery)} · {words.attemptCount(delivery.attempt_count)}
      </small>
    </span>
  ),
};

export function whoOf({ test, reference_id, user_id }: Delivery): string {
  if (test) return words.testEvent;
  return reference_id ?? user_id?.slice(0, 8) ?? words.noUser;
}

function timeOf(at: string): string {
  return Date.now() - Date.parse(at) < DAY_MS ? clockSeconds(at) : shortDateTime(at);
}
