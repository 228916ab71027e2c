import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import styles from '../deliveries.module.css';
import { type DeliveryFilter, readFilter, type WebhookSearch } from '../delivery-filter.ts';
import { type Delivery, deliveriesQuery } from '../queries.ts';
import { DeliveriesCard } from './deliveries-card.tsx';
import { Inspector } from './inspector.tsx';

type Props = {
  readonly webhookId: string;
  readonly search: WebhookSearch;
  readonly onSearch: (search: WebhookSearch, replace: boolean) => void;
  readonly canChange: boolean;
  readonly empty: ReactNode;
};

/** Deliveries beside the one that is open. */
export function Inspection({ webhookId, search, onSearch, canChange, empty }: Props) {
  const filter = readFilter(search);
  const first = useFirst(webhookId, filter);
  const openId = search.delivery ?? first;
  return (
    <div className={styles.inspection} data-open={openId !== null || undefined}>
      <DeliveriesCard
        webhookId={webhookId}
        filter={filter}
        onFilter={(next) => onSearch({ ...next, ...(search.delivery && { delivery: search.delivery }) }, true)}
        openId={openId}
        onOpen={({ id }) => onSearch({ ...filter, delivery: id }, search.delivery !== undefined)}
        empty={empty}
      />
      {openId !== null && (
        <Inspector
          key={openId}
          id={openId}
          attempt={search.attempt ?? null}
          onAttempt={(attempt) => onSearch({ ...filter, delivery: openId, ...(attempt !== null && { attempt }) }, true)}
          onUser={(user) => onSearch({ ...filter, user, delivery: openId }, false)}
          canChange={canChange}
        />
      )}
    </div>
  );
}

/** The delivery that is open before one was chosen: the newest that failed, else the newest. It stays the same while others arrive. */
function useFirst(webhookId: string, filter: DeliveryFilter): string | null {
  const chosen = useRef<string | null>(null);
  const pages = useInfiniteQuery(deliveriesQuery(useEnvironment(), { webhookId, filter }));
  const rows: readonly Delivery[] = pages.data?.pages[0]?.data ?? [];
  chosen.current ??=
    (rows.find(({ status, attempt_count }) => status !== 'succeeded' && attempt_count > 0) ?? rows[0])?.id ?? null;
  return chosen.current;
}
