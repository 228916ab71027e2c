import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import styles from '../connections.module.css';
import { type Connection, connectableProvidersQuery, useBeginConnection } from '../queries.ts';
import { words } from '../words.ts';
import { LinkSteps } from './link-steps.tsx';
import { ProviderButtons } from './provider-buttons.tsx';

type Props = {
  /** Null: not chosen yet. */
  readonly provider: string | null;
  readonly connections: readonly Connection[];
  readonly onProvider: (provider: string) => void;
  readonly onClose: () => void;
};

/** Provider, then a link, then the steps of the person. */
export function ConnectDialog({ provider, connections, onProvider, onClose }: Props) {
  const begin = useBeginConnection();
  const providers = useQuery(connectableProvidersQuery(useEnvironment()));
  const name = providers.data?.data.find((one) => one.provider === provider)?.display_name ?? provider ?? '';
  const choose = (chosen: string) => {
    begin.reset();
    onProvider(chosen);
    begin.mutate(chosen);
  };
  if (provider === null)
    return (
      <Dialog title={words.dialogTitle} onClose={onClose}>
        <p className={styles.note}>{words.choose}</p>
        <ProviderButtons onChoose={choose} />
      </Dialog>
    );
  return (
    <Dialog title={words.dialogTitleOf(name)} onClose={onClose}>
      {begin.data ? (
        <LinkSteps
          link={begin.data}
          name={name}
          connection={connections.find(({ id }) => id === begin.data.id)}
          onAgain={() => begin.mutate(provider)}
          onClose={onClose}
        />
      ) : (
        <Form onSubmit={() => begin.mutate(provider)} error={begin.error}>
          <p className={styles.note}>{words.choose}</p>
          <div className={styles.bar}>
            <Button type="submit" kind="first" icon="link" isBusy={begin.isPending}>
              {words.createLink}
            </Button>
            <Button kind="ghost" onClick={() => onProvider('choose')}>
              {words.back}
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
