import { EnvironmentLink } from '../../../shared/routing/environment-link.tsx';
import { useHasRole } from '../../../shared/session/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Code } from '../../../shared/ui/code.tsx';
import { describeFailure } from '../../../shared/ui/states.tsx';
import styles from '../first-steps.module.css';
import { useCreateKey } from '../queries.ts';
import { words } from '../words.ts';

type Props = {
  readonly command: string;
  /** Created here, and shown once. */
  readonly isNew: boolean;
  readonly isUsed: boolean;
  readonly onCreate: (key: string) => void;
};

export function KeyStep({ command, isNew, isUsed, onCreate }: Props) {
  const mayCreate = useHasRole('owner');
  const create = useCreateKey();
  return (
    <>
      <Code value={command} label={words.commandOf.key} isCopyable={isNew} />
      <p className={styles.heard}>
        {isNew ? (
          <b>{words.keyOnce}</b>
        ) : isUsed ? (
          words.used
        ) : mayCreate ? (
          <>
            {words.keyLost}
            <Button
              isBusy={create.isPending}
              onClick={() => create.mutate(undefined, { onSuccess: ({ key }) => onCreate(key) })}
            >
              {words.createKey}
            </Button>
          </>
        ) : (
          <>
            {words.keyLost} <EnvironmentLink path="keys">{words.openKeys}</EnvironmentLink>
          </>
        )}
      </p>
      {create.error && (
        <p className={styles.problem} role="alert">
          {describeFailure(create.error).advice}
        </p>
      )}
    </>
  );
}
