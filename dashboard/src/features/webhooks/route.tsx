import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { environmentRoute } from '../../shared/routing/parents.ts';
import { readFilter, readSearch } from './delivery-filter.ts';

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
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./webhook-page.tsx'), 'WebhookPage'),
});
