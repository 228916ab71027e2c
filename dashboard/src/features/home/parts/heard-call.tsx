import { EnvironmentLink } from '../../../shared/routing/environment-link.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import styles from '../first-steps.module.css';
import type { RequestEntry } from '../queries.ts';
import { words } from '../words.ts';

type Props = {
  readonly call: RequestEntry | null;
  readonly isNext: boolean;
  /** Where the dashboard shows the same. */
  readonly path?: string | null;
};

/** The call that completed the step, or a note that the page waits for it. */
export function HeardCall({ call, isNext, path = null }: Props) {
  if (call === null && !isNext) return null;
  return (
    <p className={styles.heard} role="status">
      {call === null ? (
        <>
          <i className={styles.dot} />
          {words.listening} {path && <EnvironmentLink path={path}>{words.lookHere}</EnvironmentLink>}
        </>
      ) : (
        <>
          <Icon name="check" size={14} />
          <b>{call.status}</b> {words.heard(call)} · <code>{call.id}</code>
        </>
      )}
    </p>
  );
}
