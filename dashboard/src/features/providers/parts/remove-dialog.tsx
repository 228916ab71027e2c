import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { type ProviderSetup, useRemoveApplication } from '../queries.ts';
import { words } from '../words.ts';

export function RemoveDialog({ provider, onClose }: { provider: ProviderSetup; onClose: () => void }) {
  const remove = useRemoveApplication(provider.provider);
  const { active, reauthorize } = provider.health.people;
  return (
    <Dialog title={words.removeTitle(provider.display_name)} onClose={onClose}>
      <Form onSubmit={() => remove.mutate(undefined, { onSuccess: onClose })} error={remove.error}>
        <Callout tone="warn">{words.removeNote(active + reauthorize)}</Callout>
        <Button type="submit" kind="danger" isBusy={remove.isPending}>
          {words.removeGo}
        </Button>
      </Form>
    </Dialog>
  );
}
