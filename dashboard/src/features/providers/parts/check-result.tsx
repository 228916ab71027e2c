import { Icon, type IconName } from '../../../shared/ui/icon.tsx';
import { Failure } from '../../../shared/ui/states.tsx';
import styles from '../providers.module.css';
import type { Check } from '../queries.ts';
import { words } from '../words.ts';

const GLYPHS: Readonly<Record<Check['outcome'], IconName>> = { ok: 'check', failed: 'cross', unclear: 'info' };

type Props = {
  readonly name: string;
  /** Null: not checked yet. */
  readonly checks: readonly Check[] | null;
  readonly error: unknown;
  readonly onRetry: () => void;
};

/** The four lines of a check, each with an outcome in a word. */
export function CheckResult({ name, checks, error, onRetry }: Props) {
  if (error) return <Failure error={error} what={words.checkFailed} onRetry={onRetry} />;
  if (checks === null) return null;
  return (
    <ul className={styles.checks} aria-label={words.checksOf(name)} aria-live="polite">
      {checks.map((check) => (
        <li key={check.name} data-outcome={check.outcome}>
          <Icon name={GLYPHS[check.outcome]} size={14} />
          <b>{check.name}</b>
          <span className={styles.outcome}>{words.outcomes[check.outcome]}</span>
          <span className={styles.message}>{check.message}</span>
        </li>
      ))}
    </ul>
  );
}
