import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { sessionQuery } from '../../../shared/session/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { Pill } from '../../../shared/ui/pill.tsx';
import { useChange } from '../queries.ts';
import styles from '../settings.module.css';
import { words } from '../words.ts';
import { TotpDialog } from './totp-dialog.tsx';

export function TotpCard({ hasTotp }: { hasTotp: boolean }) {
  const [open, setOpen] = useState<'add' | 'remove' | null>(null);
  const remove = useChange(() => api.delete('/totp'), sessionQuery.queryKey);
  const close = () => setOpen(null);
  return (
    <Card
      title={words.totp}
      badge={hasTotp ? <Pill tone="good">{words.on}</Pill> : <Pill tone="warn">{words.off}</Pill>}
      actions={
        hasTotp ? (
          <Button onClick={() => setOpen('remove')}>{words.totpRemove}</Button>
        ) : (
          <Button icon="shield" kind="first" onClick={() => setOpen('add')}>
            {words.totpAdd}
          </Button>
        )
      }
    >
      <p className={styles.note}>{hasTotp ? words.totpOn : words.totpOff}</p>
      {open === 'add' && <TotpDialog onClose={close} />}
      {open === 'remove' && (
        <Dialog title={words.totpRemove} onClose={close}>
          <Form onSubmit={() => remove.mutate(undefined, { onSuccess: close })} error={remove.error}>
            <p>{words.totpRemoveNote}</p>
            <Button type="submit" kind="danger" isBusy={remove.isPending}>
              {words.totpRemove}
            </Button>
          </Form>
        </Dialog>
      )}
    </Card>
  );
}
