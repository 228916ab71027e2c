import { useShortcut } from '../../../shared/keyboard/shortcuts.ts';
import { Button, IconButton } from '../../../shared/ui/button.tsx';
import { Keycap } from '../../../shared/ui/keycap.tsx';
import { describeFailure } from '../../../shared/ui/states.tsx';
import type { EditedKey } from '../draft.ts';
import { countChanges, type Draft, describeDraft, type KeyChange } from '../draft.ts';
import type { Applied } from '../use-applied.ts';
import { words } from '../words.ts';
import styles from './apply-bar.module.css';

type Props = {
  readonly edited: EditedKey;
  readonly draft: Draft;
  /** Null: there is nothing to apply. */
  readonly change: KeyChange | null;
  /** The preview of the change is on screen. */
  readonly isReady: boolean;
  readonly applied: Applied;
  readonly onApply: () => void;
  readonly onDiscard: () => void;
};

/** What would be applied; afterwards how the computation goes, with a way back. */
export function ApplyBar({ edited, draft, change, isReady, applied, onApply, onDiscard }: Props) {
  const canApply = change !== null && isReady && !applied.isBusy;
  useShortcut('Escape', words.discard, onDiscard, change !== null);
  useShortcut('mod+enter', words.apply, onApply, canApply);
  const failure = applied.error ? describeFailure(applied.error, words.applyFailed) : null;
  if (change === null && applied.last === null && failure === null) return null;
  return (
    <div className={styles.bar}>
      <div role="status" className={styles.text}>
        {failure && <p className={styles.failure}>{`${failure.title} ${failure.advice}`}</p>}
        {change === null ? (
          <Outcome applied={applied} />
        ) : (
          <p>
            <b>{words.changes(countChanges(change))}</b>
            {` · ${edited.name}: ${describeDraft(edited, draft)}`}
          </p>
        )}
      </div>
      {change === null ? (
        applied.last && (
          <div className={styles.actions}>
            {!applied.isUndone && (
              <Button icon="undo" isBusy={applied.isBusy} onClick={() => void applied.undo().catch(() => undefined)}>
                {words.undo}
              </Button>
            )}
            <IconButton icon="cross" label="Close" onClick={applied.dismiss} />
          </div>
        )
      ) : (
        <div className={styles.actions}>
          <Button onClick={onDiscard}>
            {words.discard} <Keycap keys="esc" />
          </Button>
          <Button kind="first" disabled={!canApply} isBusy={applied.isBusy} onClick={onApply}>
            {words.apply} <Keycap keys="mod+↵" />
          </Button>
        </div>
      )}
    </div>
  );
}

function Outcome({ applied: { last, isUndone, seconds } }: { applied: Applied }) {
  if (last === null) return null;
  if (isUndone) return <p>{`${last.name}: ${words.undone(last.days, seconds)}`}</p>;
  return <p>{`${last.name}: ${words.outcome(last.days, seconds)}`}</p>;
}
