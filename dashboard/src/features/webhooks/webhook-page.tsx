import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useEnvironment } from '../../shared/routing/use-environment.ts';
import { useHasRole } from '../../shared/session/session.ts';
import { useNow } from '../../shared/time/use-now.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Callout } from '../../shared/ui/callout.tsx';
import { Copy } from '../../shared/ui/copy.tsx';
import { Page } from '../../shared/ui/page.tsx';
import { Failure, Loading, Shape } from '../../shared/ui/states.tsx';
import { nameOf, warnOf } from './describe-webhook.ts';
import { Inspection } from './parts/inspection.tsx';
import { TestDialog } from './parts/test-dialog.tsx';
import { WebhookActions } from './parts/webhook-actions.tsx';
import { WebhookFigures } from './parts/webhook-figures.tsx';
import { useUpdateWebhook, type Webhook, webhookQuery } from './queries.ts';
import styles from './webhooks.module.css';
import { words } from './words.ts';

const route = getRouteApi('/$environment/webhooks/$webhookId');

export function WebhookPage() {
  const environment = useEnvironment();
  const { webhookId } = route.useParams();
  const webhook = useQuery(webhookQuery(environment, webhookId));
  const crumbs = (
    <Link to="/$environment/webhooks" params={{ environment }}>
      {words.title}
    </Link>
  );
  if (webhook.data) return <Shown key={webhookId} webhook={webhook.data.data} crumbs={crumbs} />;
  return (
    <Page title={words.webhook} crumbs={crumbs}>
      {webhook.isError ? (
        <Failure error={webhook.error} what={words.notLoadedOne} onRetry={() => void webhook.refetch()} />
      ) : (
        <Loading>
          <Shape height={84} radius={12} />
          <Shape height={420} radius={12} />
        </Loading>
      )}
    </Page>
  );
}

function Shown({ webhook, crumbs }: { webhook: Webhook; crumbs: React.ReactNode }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const canChange = useHasRole('developer');
  const [isTesting, setTesting] = useState(false);
  const openTest = webhook.status === 'active' && canChange ? () => setTesting(true) : null;
  const open = (delivery: string) => void navigate({ search: { delivery }, resetScroll: false });
  return (
    <Page
      title={nameOf(webhook)}
      crumbs={crumbs}
      note={
        <span className={styles.address}>
          <code>{webhook.url}</code>
          <Copy text={webhook.url} what={words.copyUrl} />
          <span>{webhook.events.includes('*') ? words.allEvents : webhook.events.join(', ')}</span>
        </span>
      }
      actions={canChange && <WebhookActions webhook={webhook} onTest={openTest} />}
    >
      <Warning webhook={webhook} canChange={canChange} />
      <WebhookFigures webhook={webhook} />
      <Inspection
        webhookId={webhook.id}
        search={search}
        onSearch={(next, replace) => void navigate({ search: next, replace, resetScroll: false })}
        canChange={canChange}
        empty={
          openTest && (
            <Button kind="first" icon="send" onClick={openTest}>
              {words.test}
            </Button>
          )
        }
      />
      {isTesting && (
        <TestDialog
          webhook={webhook}
          onClose={() => setTesting(false)}
          onSent={(delivery) => {
            setTesting(false);
            open(delivery);
          }}
        />
      )}
    </Page>
  );
}

function Warning({ webhook, canChange }: { webhook: Webhook; canChange: boolean }) {
  const nowMs = useNow();
  const update = useUpdateWebhook(webhook.id);
  const warning = warnOf(webhook, nowMs);
  if (warning === null) return null;
  const enable = (
    <Button isBusy={update.isPending} onClick={() => update.mutate({ status: 'active' })}>
      {words.enable}
    </Button>
  );
  return (
    <Callout tone={warning.tone} actions={canChange && webhook.status === 'disabled' && enable}>
      <b>{warning.title}</b> {warning.text}
    </Callout>
  );
}
