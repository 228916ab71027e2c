import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { readerZone } from '../../shared/time/format-time.ts';
import type { Column } from '../../shared/ui/list.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { nameOf } from './describe-webhook.ts';
import { DeliveriesCard } from './parts/deliveries-card.tsx';
import { type Delivery, type Webhook, webhooksQuery } from './queries.ts';
import { words } from './words.ts';

const route = getRouteApi('/$environment/webhooks/deliveries');

/** The deliveries of all webhooks; opening one leads to its webhook. */
export function DeliveriesPage() {
  const environment = useEnvironment();
  const filter = route.useSearch();
  const navigate = useNavigate();
  const change = route.useNavigate();
  const webhooks = useQuery(webhooksQuery(environment));
  return (
    <Page
      title={words.deliveries}
      note={`${words.deliveriesNote} ${words.zone(readerZone())}.`}
      crumbs={
        <Link to="/$environment/webhooks" params={{ environment }}>
          {words.title}
        </Link>
      }
    >
      <DeliveriesCard
        filter={filter}
        onFilter={(search) => void change({ search, replace: true, resetScroll: false })}
        openId={null}
        onOpen={({ id, webhook_id }) =>
          void navigate({
            to: '/$environment/webhooks/$webhookId',
            params: { environment, webhookId: webhook_id },
            search: { delivery: id },
          })
        }
        columns={[webhookColumn(webhooks.data?.data ?? [])]}
      />
    </Page>
  );
}

function webhookColumn(webhooks: readonly Webhook[]): Column<Delivery> {
  const names = new Map(webhooks.map((webhook) => [webhook.id, nameOf(webhook)]));
  return {
    name: words.webhook,
    isNameHidden: true,
    narrow: 'none',
    cell: ({ webhook_id }) => names.get(webhook_id) ?? webhook_id.slice(0, 8),
  };
}
