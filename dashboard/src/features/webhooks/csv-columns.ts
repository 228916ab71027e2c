// The list of webhooks as a CSV file.
import type { Column } from '../../shared/ui/list.tsx';
import { successRate } from './describe-webhook.ts';
import type { Webhook } from './queries.ts';

const column = (name: string, csv: (webhook: Webhook) => string | number | null): Column<Webhook> => ({
  name,
  csv,
  cell: csv,
});

export const csvColumns: readonly Column<Webhook>[] = [
  column('id', ({ id }) => id),
  column('url', ({ url }) => url),
  column('description', ({ description }) => description),
  column('events', ({ events }) => events.join(' ')),
  column('status', ({ status }) => status),
  column('disabled_reason', ({ disabled_reason }) => disabled_reason),
  column('attempts_24h', ({ health }) => health.attempts_24h),
  column('failed_24h', ({ health }) => health.failed_24h),
  column('success_percent', ({ health }) => successRate(health)),
  column('waiting', ({ health }) => health.waiting),
  column('failing_since', ({ health }) => health.failing_since),
  column('last_delivery_at', ({ last_delivery_at }) => last_delivery_at),
];
