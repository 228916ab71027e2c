import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { sessionQuery } from '../../../shared/session/session.ts';
import { day } from '../../../shared/time/format-time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { type Account, accountQuery, useChange } from '../queries.ts';
import styles from '../settings.module.css';
import { words } from '../words.ts';

/** Closes, reopens and deletes the account. For owners. */
export function EndAccountCard({ account }: { account: Account }) {
  const [dialog, setDialog] = useState<'close' | 'delete' | null>(null);
  const reopen = useChange(() => api.post('/account/reopen'), accountQuery.queryKey, sessionQuery.queryKey);
  const close = () => setDialog(null);
  return (
    <Card title={words.endAccount}>
      <Form onSubmit={() => reopen.mutate(undefined)} error={reopen.error}>
        {account.closed_at === null ? (
          <p>{words.closeHint}</p>
        ) : (
          <Callout tone="warn">{words.closedSince(day(account.closed_at))}</Callout>
        )}
        <p>{words.deleteHint}</p>
        <div className={styles.actions}>
          {account.closed_at === null ? (
            <Button onClick={() => setDialog('close')}>{words.closeAccount}</Button>
          ) : (
            <Button type="submit" kind="first" isBusy={reopen.isPending}>
              {words.reopenAccount}
            </Button>
          )}
          <Button kind="danger" onClick={() => setDialog('delete')}>
            {words.deleteAccount}
          </Button>
        </div>
      </Form>
      {dialog === 'close' && <CloseDialog account={account} onClose={close} />}
      {dialog === 'delete' && <DeleteDialog account={account} onClose={close} />}
    </Card>
  );
}

type Props = { readonly account: Account; readonly onClose: () => void };

function CloseDialog({ account, onClose }: Props) {
  const end = useChange(() => api.post('/account/close'), accountQuery.queryKey, sessionQuery.queryKey);
  return (
    <Dialog title={words.closeTitle(account.name)} onClose={onClose}>
      <Form onSubmit={() => end.mutate(undefined, { onSuccess: onClose })} error={end.error}>
        <Callout tone="warn">{words.closeNote}</Callout>
        <NameToConfirm account={account} error={end.error} isBusy={end.isPending} text={words.closeGo} />
      </Form>
    </Dialog>
  );
}

function DeleteDialog({ account, onClose }: Props) {
  const queries = useQueryClient();
  const remove = useChange(() => api.post('/account/delete', { name: account.name }));
  // The session ended with the account, or is now one of another account.
  const leave = () => {
    queries.clear();
    window.location.assign(import.meta.env.BASE_URL);
  };
  return (
    <Dialog title={words.deleteTitle(account.name)} onClose={onClose}>
      <Form onSubmit={() => remove.mutate(undefined, { onSuccess: leave })} error={remove.error} fields={['name']}>
        <Callout tone="bad">{words.deleteNote}</Callout>
        <NameToConfirm account={account} error={remove.error} isBusy={remove.isPending} text={words.deleteGo} />
      </Form>
    </Dialog>
  );
}

/** The button works once the name was typed. */
function NameToConfirm(props: { account: Account; error: unknown; isBusy: boolean; text: string }) {
  const { account, error, isBusy, text } = props;
  const [name, setName] = useState('');
  return (
    <>
      <Field
        label={words.typeName(account.name)}
        autoComplete="off"
        value={name}
        problem={problemOf(error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" kind="danger" disabled={name !== account.name} isBusy={isBusy}>
        {text}
      </Button>
    </>
  );
}
