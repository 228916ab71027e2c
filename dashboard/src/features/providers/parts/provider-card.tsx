import { type ReactNode, useState } from 'react';
import { useHasRole } from '../../../shared/session/session.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Copy } from '../../../shared/ui/copy.tsx';
import { DangerDialog } from '../../../shared/ui/danger-dialog.tsx';
import { Facts } from '../../../shared/ui/facts.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { budgetShare, describeApplication, describePeople, describeSyncs } from '../describe-provider.ts';
import styles from '../providers.module.css';
import { type Health, type ProviderSetup, useCheckProvider, useRemoveApplication } from '../queries.ts';
import { words } from '../words.ts';
import { ApplicationDialog } from './application-dialog.tsx';
import { CheckResult } from './check-result.tsx';
import { ProviderLimits } from './provider-limits.tsx';

/** The used part of a rate limit from which its bar warns. */
const NEARLY_USED = 0.8;

export function ProviderCard({ provider, canChange }: { provider: ProviderSetup; canChange: boolean }) {
  const nowMs = useNow();
  const canCheck = useHasRole('developer');
  const [open, setOpen] = useState<'set' | 'remove' | null>(null);
  const check = useCheckProvider(provider.provider);
  const { application, health } = provider;
  const state = describeApplication(provider);
  return (
    <Card
      title={
        <span className={styles.name}>
          <img src={`/providers/${provider.provider}.svg`} alt="" width={26} height={26} />
          {provider.display_name}
        </span>
      }
      badge={<Pill tone={state.tone}>{state.text}</Pill>}
      actions={
        <>
          {canCheck && application !== null && (
            <Button icon="shield" isBusy={check.isPending} onClick={() => check.mutate()}>
              {words.check}
            </Button>
          )}
          {canChange && application !== 'account' && <Button onClick={() => setOpen('set')}>{words.setUp}</Button>}
          {canChange && application === 'account' && (
            <Menu face={<Icon name="more" size={18} />} label={words.more(provider.display_name)}>
              <button type="button" onClick={() => setOpen('set')}>
                {words.change}
              </button>
              <button type="button" onClick={() => setOpen('remove')}>
                {words.remove}
              </button>
            </Menu>
          )}
        </>
      }
    >
      <p className={styles.lead}>{application === null ? words.notSetUp : describePeople(health)}</p>
      {health.backoff && (
        <div className={styles.backoff}>
          <Callout tone="warn">{words.waits(health.backoff.devices, health.backoff.until, nowMs)}</Callout>
        </div>
      )}
      <Facts facts={listFacts(provider, nowMs)} />
      <ProviderLimits provider={provider} />
      <CheckResult
        name={provider.display_name}
        checks={check.data?.checks ?? null}
        error={check.error}
        onRetry={() => check.mutate()}
      />
      {open === 'set' && <ApplicationDialog provider={provider} onClose={() => setOpen(null)} />}
      {open === 'remove' && <RemoveDialog provider={provider} onClose={() => setOpen(null)} />}
    </Card>
  );
}

function listFacts({ application, client_id, redirect_uri, health }: ProviderSetup, nowMs: number) {
  const syncs = describeSyncs(health);
  const facts: (readonly [string, ReactNode])[] = [
    [
      words.redirectUri,
      <span key="uri" className={styles.uri}>
        <code>{redirect_uri}</code>
        <Copy text={redirect_uri} what={words.copyRedirectUri} />
      </span>,
    ],
  ];
  if (client_id !== null) facts.push([words.clientId, <code key="id">{client_id}</code>]);
  if (application === null) return facts;
  facts.push([
    words.syncs,
    <span key="syncs">
      {syncs.text}
      {syncs.failures && <small className={styles.failures}>{syncs.failures}</small>}
    </span>,
  ]);
  facts.push([
    words.webhooks,
    health.webhooks.runs === 0
      ? words.noWebhooks
      : words.lastWebhook(health.webhooks.runs, health.webhooks.last_at, nowMs),
  ]);
  if (health.budget) facts.push([words.budget, <BudgetBar key="budget" budget={health.budget} nowMs={nowMs} />]);
  return facts;
}

function RemoveDialog({ provider, onClose }: { provider: ProviderSetup; onClose: () => void }) {
  const remove = useRemoveApplication(provider.provider);
  const { active, reauthorize } = provider.health.people;
  return (
    <DangerDialog
      title={words.removeTitle(provider.display_name)}
      action={words.removeGo}
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
      onClose={onClose}
    >
      {words.removeNote(active + reauthorize)}
    </DangerDialog>
  );
}

/** How much of the rate limit is used, as a bar and in words. */
function BudgetBar({ budget, nowMs }: { budget: NonNullable<Health['budget']>; nowMs: number }) {
  const share = budgetShare(budget);
  return (
    <span className={styles.budget}>
      <span className={styles.bar} data-high={share >= NEARLY_USED || undefined}>
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {words.used(budget.used, budget.of)}
      {budget.resets_at && <small>{words.resets(budget.resets_at, nowMs)}</small>}
    </span>
  );
}
