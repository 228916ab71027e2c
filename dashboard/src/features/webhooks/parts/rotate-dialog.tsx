import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { useRotateSecret, type Webhook } from '../queries.ts';
import { words } from '../words.ts';
import { SecretDialog } from './secret-dialog.tsx';

export function RotateDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
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
