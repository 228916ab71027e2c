import { Callout } from '../../../shared/ui/callout.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Copy } from '../../../shared/ui/copy.tsx';
import { Facts } from '../../../shared/ui/facts.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { number as format } from '../../../shared/words/numbers.ts';
import styles from '../deliveries.module.css';
import { adviseAttempt } from '../describe-delivery.ts';
import type { InspectedDelivery } from '../queries.ts';
import { words } from '../words.ts';
import { writeCurl } from '../write-curl.ts';
import { SignatureCheck } from './signature-check.tsx';

type Attempt = InspectedDelivery['attempts'][number];

/** One attempt: what happened in words, then the response, then the request. */
export function AttemptDetail({ delivery, number }: { delivery: InspectedDelivery; number: number }) {
  const attempt = delivery.attempts[number - 1];
  if (attempt === undefined) return <p className={styles.pale}>{words.firstToCome}</p>;
  const advice = adviseAttempt(attempt);
  return (
    <>
      <Callout tone={advice === null ? 'good' : 'bad'}>
        <b>{advice?.title ?? words.deliveredIn(attempt.duration_ms)}</b> {advice?.text}
      </Callout>
      <div className={styles.pair}>
        <Response attempt={attempt} />
        <Request delivery={delivery} attempt={attempt} />
      </div>
      {delivery.body !== null && <SignatureCheck key={number} attempt={attempt} body={delivery.body} />}
    </>
  );
}

function Response({ attempt: { status, error, duration_ms, response_body } }: { attempt: Attempt }) {
  return (
    <section>
      <header>
        <h3>{words.response}</h3>
        <span>
          {status !== null && <Pill tone={error === null ? 'good' : 'bad'}>{status}</Pill>} {format(duration_ms)} ms
        </span>
      </header>
      {response_body === '' ? (
        <p className={styles.pale}>{status === null ? words.noResponse : words.emptyResponse}</p>
      ) : (
        <Code value={readJson(response_body)} label={words.response} />
      )}
      <p className={styles.pale}>{words.kept}</p>
    </section>
  );
}

function Request({ delivery: { url, body }, attempt }: { delivery: InspectedDelivery; attempt: Attempt }) {
  return (
    <section>
      <header>
        <h3>{words.request}</h3>
        <Copy text={() => writeCurl(url, attempt.request_headers, body)}>{words.copyCurl}</Copy>
      </header>
      <div className={styles.headers}>
        <Facts facts={[['POST', url], ...attempt.request_headers.map(({ name, value }) => [name, value] as const)]} />
      </div>
      <p className={styles.pale}>{words.signedAgain}</p>
      {body === null ? (
        <p className={styles.pale}>{words.bodyGone}</p>
      ) : (
        <Code value={readJson(body)} label={words.body} />
      )}
    </section>
  );
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
