import { useUpdateWebhook, type Webhook } from '../queries.ts';
import { words } from '../words.ts';
import { WebhookDialog } from './webhook-dialog.tsx';

export function EditDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
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
