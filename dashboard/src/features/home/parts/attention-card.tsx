import { EnvironmentLink } from '../../../shared/routing/environment-link.tsx';
import { dateTime } from '../../../shared/time/format-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { buttonClass } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Count } from '../../../shared/ui/pill.tsx';
import { describeAttention } from '../describe-attention.ts';
import styles from '../home.module.css';
import type { Overview } from '../queries.ts';
import { words } from '../words.ts';

const CHECK_MS = 1_000;

export function AttentionCard({ overview: { attention, computed_at } }: { overview: Overview }) {
  const nowMs = useNow(CHECK_MS);
  if (attention.length === 0)
    return (
      <Card className={styles.clear} title={words.attention}>
        <p>
          <Icon name="check" size={17} />
          <span>
            <b>{words.allClear}</b> <time title={dateTime(computed_at)}>{words.lastCheck(computed_at, nowMs)}</time>
          </span>
        </p>
      </Card>
    );
  return (
    <Card isFlush title={words.attention} badge={<Count value={attention.length} />}>
      <ul className={styles.attention}>
        {attention.map((item) => (
          <Item key={`${item.kind} ${item.subject}`} item={item} nowMs={nowMs} />
        ))}
      </ul>
    </Card>
  );
}

function Item({ item, nowMs }: { item: Overview['attention'][number]; nowMs: number }) {
  const { subject, text, note, action, path } = describeAttention(item, nowMs);
  return (
    <li data-level={item.level}>
      <EnvironmentLink path={path}>
        <Icon name={item.level === 'info' ? 'info' : 'warn'} size={17} />
        <span className={styles.sentence}>
          <span>
            <b>{subject}</b> {text}
          </span>
          <small>{note}</small>
        </span>
        <span className={buttonClass()}>{action}</span>
        <Icon name="right" size={15} />
      </EnvironmentLink>
    </li>
  );
}
