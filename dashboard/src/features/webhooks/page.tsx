import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useShortcut } from '../../shared/keyboard/shortcuts.ts';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { FORWARD_EVENTS, useCommandLine } from '../../shared/session/command-line.ts';
import { useHasRole, useSession } from '../../shared/session/session.ts';
import { Button, buttonClass } from '../../shared/ui/button.tsx';
import { Card } from '../../shared/ui/card.tsx';
import { Code } from '../../shared/ui/code.tsx';
import { CsvButton } from '../../shared/ui/csv-button.tsx';
import type { Column } from '../../shared/ui/list.tsx';
import { Loaded } from '../../shared/ui/loaded.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Empty, Shape } from '../../shared/ui/states.tsx';
import { successRate } from './describe-webhook.ts';
import { CreateDialog } from './parts/create-dialog.tsx';
import { WebhookCard } from './parts/webhook-card.tsx';
import { type Webhook, webhooksQuery } from './queries.ts';
import styles from './webhooks.module.css';
import { words } from './words.ts';

const column = (name: string, csv: (webhook: Webhook) => string | number | null): Column<Webhook> => ({
  name,
  csv,
  cell: csv,
});

/** The list of webhooks as a CSV file. */
const csvColumns: readonly Column<Webhook>[] = [
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

export function WebhooksPage() {
  const environment = useEnvironment();
  const webhooks = useQuery(webhooksQuery(environment));
  const session = useSession();
  const canChange = useHasRole('developer');
  const [isCreating, setCreating] = useState(false);
  useShortcut('n', words.create, () => setCreating(true), canChange);
  const list = webhooks.data?.data ?? [];
  const create = (
    <Button icon="plus" kind="first" onClick={() => setCreating(true)}>
      {words.create}
    </Button>
  );
  return (
    <Page
      title={words.title}
      note={words.note}
      actions={
        <>
          {list.length > 0 && <CsvButton rows={list} columns={csvColumns} name={`webhooks-${environment}.csv`} />}
          {list.length > 0 && (
            <Link to="/$environment/webhooks/deliveries" params={{ environment }} className={buttonClass()}>
              {words.allDeliveries}
            </Link>
          )}
          {canChange && create}
        </>
      }
    >
      <Loaded query={webhooks} what={words.notLoaded} shapes={<Shapes />}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty title={words.emptyTitle} action={canChange ? create : null}>
                {words.empty}
              </Empty>
            </Card>
          ) : (
            <div className={styles.grid}>
              {data.map((webhook) => (
                <WebhookCard key={webhook.id} webhook={webhook} />
              ))}
            </div>
          )
        }
      </Loaded>
      <LocalHint />
      {session && !canChange && <p className={styles.note}>{words.developersOnly}</p>}
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

function Shapes() {
  return (
    <div className={styles.grid}>
      <Shape height={190} radius={12} />
      <Shape height={190} radius={12} />
    </div>
  );
}

/** How to receive events on a laptop, which has no public address. */
function LocalHint() {
  const commandLine = useCommandLine();
  return (
    <Card title={words.local}>
      <div className={styles.hint}>
        <p>{words.localNote}</p>
        <Code value={commandLine(FORWARD_EVENTS)} label={words.localCommand} />
        <p>{words.localPrivate}</p>
      </div>
    </Card>
  );
}
