import { useCommandLine } from '../../../shared/session/command-line.ts';
import { ago, day } from '../../../shared/time/format-time.ts';
import { useNow } from '../../../shared/time/use-now.ts';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { Facts } from '../../../shared/ui/facts.tsx';
import { number } from '../../../shared/words/numbers.ts';
import type { ServiceState } from '../queries.ts';
import styles from '../service.module.css';
import { words } from '../words.ts';

/** Failed jobs and the keys of the deployment. */
export function KeysCard({ state: { keys, jobs_given_up } }: { state: ServiceState }) {
  const nowMs = useNow();
  const commandLine = useCommandLine();
  const isRotating = keys.master.length > 1;
  const signing = keys.signing_key_created_at;
  return (
    <div className={styles.columns}>
      <Card title={words.jobsGivenUp}>
        {jobs_given_up.length === 0 ? (
          <p className={styles.note}>{words.noJobs}</p>
        ) : (
          <Facts
            facts={jobs_given_up.map(({ name, count, since }) => [
              name,
              `${number(count)}, ${words.firstFailed.toLowerCase()} ${ago(since, nowMs)}`,
            ])}
          />
        )}
      </Card>
      <Card title={words.keys}>
        {isRotating && <Callout tone="warn">{words.rotating}</Callout>}
        <Facts
          facts={[
            ...keys.master.map(({ fingerprint, created_at, is_in_use }): readonly [string, React.ReactNode] => [
              isRotating ? `${words.masterKey} ${fingerprint.slice(0, 8)}` : words.masterKey,
              <span key={fingerprint}>
                {!isRotating && <code>{fingerprint}</code>} {words.createdAt(day(created_at))},{' '}
                {is_in_use ? words.inUse : words.notInUse}
              </span>,
            ]),
            [
              words.signingKey,
              signing === null ? words.signingKeyNone : `${words.createdAt(day(signing))}, ${words.rotatedEvery}`,
            ],
          ]}
        />
        {!isRotating && <p className={styles.note}>{words.rotateHint}</p>}
        <Code value={commandLine(`keys rotate-master${isRotating ? ' --finish' : ''}`)} label={words.command} />
      </Card>
    </div>
  );
}
