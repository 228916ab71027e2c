import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import { useFollowedPages } from '../../../shared/list/use-followed-pages.ts';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import type { Column } from '../../../shared/ui/list.tsx';
import { Empty, Failure, Loading } from '../../../shared/ui/states.tsx';
import styles from '../deliveries.module.css';
import type { DeliveryFilter } from '../delivery-filter.ts';
import { type Delivery, deliveriesQuery, deliveryParameters, latestDeliveries } from '../queries.ts';
import { words } from '../words.ts';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryList } from './delivery-list.tsx';

type Props = {
  /** Without it, the deliveries of all webhooks. */
  readonly webhookId?: string;
  readonly filter: DeliveryFilter;
  readonly onFilter: (filter: DeliveryFilter) => void;
  readonly openId: string | null;
  readonly onOpen: (delivery: Delivery) => void;
  readonly columns?: readonly Column<Delivery>[];
  /** Shown if nothing has been sent yet. */
  readonly empty?: ReactNode;
};

export function DeliveriesCard({ webhookId, filter, onFilter, openId, onOpen, columns, empty }: Props) {
  const environment = useEnvironment();
  const search = { filter, ...(webhookId !== undefined && { webhookId }) };
  const pages = useInfiniteQuery(deliveriesQuery(environment, search));
  const { rows, newer, showNewer } = useFollowedPages<Delivery>(pages, latestDeliveries(environment, search));
  const hasFilter = Object.keys(filter).length > 0;
  return (
    <Card isFlush className={styles.card}>
      <DeliveryFilters filter={filter} onChange={onFilter} />
      {newer > 0 && (
        <p className={styles.newer} role="status">
          <Button kind="ghost" icon="up" onClick={showNewer}>
            {words.newer(newer)}
          </Button>
        </p>
      )}
      {pages.isPending && <Loading rows={8} />}
      {pages.isError && rows.length === 0 && (
        <Failure error={pages.error} what={words.deliveriesNotLoaded} onRetry={() => void pages.refetch()} />
      )}
      {pages.isSuccess && rows.length === 0 && (
        <Empty
          title={hasFilter ? words.noneMatch : words.noDeliveries}
          action={hasFilter ? <Button onClick={() => onFilter({})}>{words.clear}</Button> : empty}
        >
          {hasFilter ? words.noneMatchNote : words.noDeliveriesNote}
        </Empty>
      )}
      {rows.length > 0 && (
        <DeliveryList
          rows={rows}
          openId={openId}
          onOpen={onOpen}
          {...(columns && { columns })}
          more={
            pages.hasNextPage ? { load: () => void pages.fetchNextPage(), isLoading: pages.isFetchingNextPage } : null
          }
          csv={{
            name: `deliveries-${environment}.csv`,
            load: () =>
              api.csv(`/${environment}/deliveries`, { query: { ...deliveryParameters(search), limit: 1_000 } }),
          }}
        />
      )}
    </Card>
  );
}
