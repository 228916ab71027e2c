import { useNavigate } from '@tanstack/react-router';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { nameOf } from '../describe-webhook.ts';
import { useDeleteWebhook, type Webhook } from '../queries.ts';
import { words } from '../words.ts';

export function DeleteDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const remove = useDeleteWebhook(webhook.id);
  const leave = () => void navigate({ to: '/$environment/webhooks', params: { environment } });
  return (
    <Dialog title={words.deleteTitle(nameOf(webhook))} onClose={onClose}>
      <Form onSubmit={() => remove.mutate(undefined, { onSuccess: leave })} error={remove.error}>
        <Callout tone="warn">{words.deleteNote(webhook.health.waiting)}</Callout>
        <Button type="submit" kind="danger" isBusy={remove.isPending}>
          {words.deleteGo}
        </Button>
      </Form>
    </Dialog>
  );
}
