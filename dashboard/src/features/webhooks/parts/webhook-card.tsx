import { Link } from '@tanstack/react-router';
import { CountBars } from '../../../shared/chart/count-bars.tsx';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { ago } from '../../../shared/time/format-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { adviseAttempt, describeState } from '../describe-delivery.ts';
import { describeWebhook, nameOf, successRate } from '../describe-webhook.ts';
import type { Webhook } from '../queries.ts';
import styles from '../webhooks.module.css';
import { words } from '../words.ts';

const STROKES = 40;

export function WebhookCard({ webhook }: { webhook: Webhook }) {
  const environment = useEnvironment();
  const nowMs = useNow();
  const state = describeWebhook(webhook, nowMs);
  const { health, url } = webhook;
  return (
    <Card
      className={styles.card}
      title={
        <Link
          to="/$environment/webhooks/$webhookId"
          params={{ environment, webhookId: webhook.id }}
          className={styles.cover}
        >
          {nameOf(webhook)}
        </Link>
      }
      badge={<Pill tone={state.tone}>{state.text}</Pill>}
    >
      <p className={styles.url}>{url}</p>
      <div className={styles.pictures}>
        <Strip entries={health.strip} />
        <div className={styles.hours}>
          <CountBars counts={health.hours} label={words.hours(health.failed_24h, health.attempts_24h)} />
          <small aria-hidden="true">{words.lastDay}</small>
        </div>
      </div>
      <p className={styles.facts}>{describeFigures(webhook)}</p>
      <p className={styles.facts}>{describeLastFailure(webhook, nowMs)}</p>
    </Card>
  );
}

function describeFigures({ health }: Webhook): string {
  const rate = successRate(health);
  return [
    rate === null ? words.noAttempts : words.rate(rate, health.attempts_24h),
    health.p50_ms === null ? words.noSuccess : words.median(health.p50_ms),
    words.waitingCount(health.waiting),
  ].join(' · ');
}

function describeLastFailure({ health: { last_failure } }: Webhook, nowMs: number): string {
  if (last_failure === null) return words.noFailure;
  const cause = adviseAttempt(last_failure)?.title ?? last_failure.error;
  return words.lastFailure(ago(last_failure.at, nowMs), cause);
}

/** A stroke per delivery, the newest at the right. */
function Strip({ entries }: { entries: Webhook['health']['strip'] }) {
  const failed = entries.filter(({ last_error }) => last_error !== null).length;
  const empty = Array.from({ length: Math.max(0, STROKES - entries.length) }, (_, index) => index);
  return (
    <div className={styles.strip} role="img" aria-label={words.strip(failed, entries.length)}>
      {empty.map((index) => (
        <i key={index} />
      ))}
      {entries.toReversed().map(({ id, status, attempts }) => (
        <i key={id} data-tone={describeState({ status, attempt_count: attempts }).tone} />
      ))}
    </div>
  );
}
