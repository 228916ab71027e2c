import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { DangerDialog } from '../../../shared/ui/danger-dialog.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { nameOf } from '../describe-webhook.ts';
import { useDeleteWebhook, useRotateSecret, useUpdateWebhook, type Webhook } from '../queries.ts';
import styles from '../webhooks.module.css';
import { words } from '../words.ts';
import { RecoverDialog } from './recover-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

const DIALOGS = { edit: EditDialog, rotate: RotateDialog, recover: RecoverDialog, delete: DeleteDialog };

type Props = { readonly webhook: Webhook; readonly onTest: (() => void) | null };

export function WebhookActions({ webhook, onTest }: Props) {
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  const update = useUpdateWebhook(webhook.id);
  const isActive = webhook.status === 'active';
  const Opened = open && DIALOGS[open];
  return (
    <>
      <Button icon="send" disabled={onTest === null} onClick={() => onTest?.()}>
        {words.test}
      </Button>
      <Button icon="retry" disabled={!isActive} onClick={() => setOpen('recover')}>
        {words.recover}
      </Button>
      <Menu face={<Icon name="more" size={18} />} label={words.more} className={styles.menu}>
        <button type="button" onClick={() => setOpen('edit')}>
          <Icon name="edit" />
          {words.edit}
        </button>
        <button type="button" onClick={() => setOpen('rotate')}>
          <Icon name="keys" />
          {words.rotate}
        </button>
        <button type="button" onClick={() => update.mutate({ status: isActive ? 'disabled' : 'active' })}>
          <Icon name={isActive ? 'pause' : 'play'} />
          {isActive ? words.pause : words.enable}
        </button>
        <button type="button" onClick={() => setOpen('delete')}>
          <Icon name="trash" />
          {words.delete}
        </button>
      </Menu>
      {Opened && <Opened webhook={webhook} onClose={() => setOpen(null)} />}
    </>
  );
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const remove = useDeleteWebhook(webhook.id);
  const leave = () => void navigate({ to: '/$environment/webhooks', params: { environment } });
  return (
    <DangerDialog
      title={words.deleteTitle(nameOf(webhook))}
      action={words.deleteGo}
      error={remove.error}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined, { onSuccess: leave })}
      onClose={onClose}
    >
      {words.deleteNote(webhook.health.waiting)}
    </DangerDialog>
  );
}

function EditDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const update = useUpdateWebhook(webhook.id);
  return (
    <WebhookDialog
      title={words.editTitle}
      go={words.save}
      start={webhook}
      isBusy={update.isPending}
      error={update.error}
      onSave={(fields) => update.mutate(fields, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const rotate = useRotateSecret(webhook.id);
  if (rotate.data) return <SecretDialog secret={rotate.data.data.secret} onClose={onClose} />;
  return (
    <Dialog title={words.rotateTitle} onClose={onClose}>
      <Form onSubmit={() => rotate.mutate(undefined)} error={rotate.error}>
        <Callout>{words.rotateNote}</Callout>
        <Button type="submit" kind="first" isBusy={rotate.isPending}>
          {words.rotateGo}
        </Button>
      </Form>
    </Dialog>
  );
}
