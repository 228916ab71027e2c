import { Callout } from '../../../shared/ui/callout.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Facts } from '../../../shared/ui/facts.tsx';
import { Pill, type Tone } from '../../../shared/ui/pill.tsx';
import { number } from '../../../shared/words/numbers.ts';
import styles from '../import.module.css';
import type { FileImport } from '../queries.ts';
import { words } from '../words.ts';

const TONES: Readonly<Partial<Record<FileImport['status'], Tone>>> = { done: 'good', failed: 'bad' };

export function ImportResult({ result }: { result: FileImport }) {
  const { status, file_name: name, error, problems, rejected, sources } = result;
  const skipped = Object.entries(result.skipped);
  return (
    <Card
      title={`${words.lastImport}: ${name}`}
      badge={<Pill tone={TONES[status] ?? 'plain'}>{words.status[status]}</Pill>}
    >
      <div className={styles.result}>
        {error !== null && <Callout tone="bad">{error}</Callout>}
        {status === 'cancelled' && <Callout>{words.cancelled}</Callout>}
        <Facts
          facts={[
            [words.records, number(result.records)],
            [words.accepted, number(result.accepted)],
            [words.duplicates, number(result.duplicates)],
            [words.rejected, number(rejected)],
            ...(sources.length > 0 ? [[words.sources, sources.join(', ')] as const] : []),
          ]}
        />
        {problems.length > 0 && (
          <section>
            <h3>{words.problems}</h3>
            <ul>
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
              {rejected > problems.length && <li>{words.moreProblems(rejected - problems.length)}</li>}
            </ul>
          </section>
        )}
        {skipped.length > 0 && (
          <section>
            <h3>{words.skipped}</h3>
            <ul>
              {skipped.map(([what, count]) => (
                <li key={what}>
                  {what}: {number(count)}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </Card>
  );
}
