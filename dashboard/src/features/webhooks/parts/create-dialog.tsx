import { useNavigate } from '@tanstack/react-router';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { useCreateWebhook } from '../queries.ts';
import { words } from '../words.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

/** Leads to the new webhook once its secret was saved. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const create = useCreateWebhook();
  const made = create.data?.data;
  if (made) {
    const open = () => {
      onClose();
      void navigate({ to: '/$environment/webhooks/$webhookId', params: { environment, webhookId: made.id } });
    };
    return <SecretDialog secret={made.secret} onClose={open} />;
  }
  return (
    <WebhookDialog
      title={words.create}
      go={words.createGo}
      start={{ url: '', events: ['*'], description: null }}
      isBusy={create.isPending}
      error={create.error}
      onSave={(fields) => create.mutate(fields)}
      onClose={onClose}
    />
  );
}
