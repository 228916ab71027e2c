import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Icon } from '../../../shared/ui/icon.tsx';
import { Menu } from '../../../shared/ui/menu.tsx';
import { useUpdateWebhook, type Webhook } from '../queries.ts';
import styles from '../webhooks.module.css';
import { words } from '../words.ts';
import { DeleteDialog } from './delete-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { RecoverDialog } from './recover-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

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
