import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';
import { type DeliveryFilter, readFilter } from './delivery-filter.ts';

/** `delivery`: the one that is open; `attempt`: its number, from 1. */
export type WebhookSearch = DeliveryFilter & { readonly delivery?: string; readonly attempt?: number };

export const webhooksRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'webhooks',
  component: lazyRouteComponent(() => import('./page.tsx'), 'WebhooksPage'),
});

export const deliveriesRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'webhooks/deliveries',
  validateSearch: readFilter,
  component: lazyRouteComponent(() => import('./deliveries-page.tsx'), 'DeliveriesPage'),
});

export const webhookRoute = createRoute({
  getParentRoute: () => environmentRoute,
  path: 'webhooks/$webhookId',
  validateSearch: (search: Record<string, unknown>): WebhookSearch => {
    const { delivery, attempt } = search;
    return {
      ...readFilter(search),
      ...(typeof delivery === 'string' && delivery !== '' && { delivery }),
      ...(typeof attempt === 'number' && attempt >= 1 && { attempt }),
    };
  },
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
});
