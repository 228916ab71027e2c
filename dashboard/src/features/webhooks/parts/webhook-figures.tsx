import { CountBars } from '../../../shared/chart/count-bars.tsx';
import { until } from '../../../shared/time/format-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { Figure, Figures } from '../../../shared/ui/figure.tsx';
import { number } from '../../../shared/words/numbers.ts';
import { successRate } from '../describe-webhook.ts';
import type { Webhook } from '../queries.ts';
import styles from '../webhooks.module.css';
import { words } from '../words.ts';

export function WebhookFigures({ webhook: { health } }: { webhook: Webhook }) {
  const nowMs = useNow();
  const rate = successRate(health);
  return (
    <Figures>
      <Figure
        label={words.success}
        value={
          <span className={styles.rate}>
            {rate === null ? '–' : `${rate} %`}
            <CountBars counts={health.hours} label={words.hours(health.failed_24h, health.attempts_24h)} height={22} />
          </span>
        }
        note={words.attempts24h(health.attempts_24h)}
      />
      <Figure
        label={words.answerTime}
        value={health.p50_ms === null ? '–' : `${number(health.p50_ms)} ms`}
        note={health.p95_ms === null ? words.noSuccess : words.p95(health.p95_ms)}
      />
      <Figure
        label={words.waiting}
        value={number(health.waiting)}
        note={health.waiting === 0 ? words.nothingWaits : words.noneLost}
      />
      <Figure
        label={words.secret}
        value={<code className={styles.secret}>{words.secretFace}</code>}
        note={
          health.previous_secret_until === null
            ? words.secretNote
            : words.twoSecrets(until(health.previous_secret_until, nowMs))
        }
      />
    </Figures>
  );
}
