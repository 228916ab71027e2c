import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLive } from '../../../shared/live/use-live.ts';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { clockSeconds } from '../../../shared/time/format-time.ts';
import { Card } from '../../../shared/ui/card.tsx';
import { Loaded } from '../../../shared/ui/loaded.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { addNews } from '../add-news.ts';
import styles from '../first-steps.module.css';
import { callsQuery, type RequestEntry } from '../queries.ts';
import { milliseconds, words } from '../words.ts';

const MAX_CALLS = 5;

/** The last calls with an API key, as they arrive, failed ones included. */
export function CallsCard() {
  const query = callsQuery(useEnvironment());
  const calls = useQuery(query);
  const queries = useQueryClient();
  useLive({
    onRequest: (call) =>
      void queries.setQueryData(query.queryKey, (old) => old && { ...old, data: addNews(old.data, call, MAX_CALLS) }),
  });
  return (
    <Card isFlush title={words.calls}>
      <Loaded query={calls} what={words.callsFailed}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={styles.nothing}>
              <i className={styles.dot} />
              {words.noCalls}
            </p>
          ) : (
            <ul className={styles.calls} aria-live="polite">
              {data.map((call) => (
                <Call key={call.id} call={call} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  );
}

function Call({ call: { at, method, route, status, error, ms } }: { call: RequestEntry }) {
  return (
    <li>
      <time dateTime={at}>{clockSeconds(at)}</time>
      <span className={styles.call}>
        <b>{method}</b> <code>{route}</code>
        <small>{[error, milliseconds(ms)].filter(Boolean).join(' · ')}</small>
      </span>
      <Pill tone={status < 400 ? 'good' : 'bad'}>{status}</Pill>
    </li>
  );
}
