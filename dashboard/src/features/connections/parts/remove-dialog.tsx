import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { nameOf } from '../describe-connection.ts';
import { type Connection, useRemoveDevice } from '../queries.ts';
import { words } from '../words.ts';

export function RemoveDialog({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const remove = useRemoveDevice();
  const name = nameOf(connection);
  return (
    <Dialog title={words.removeTitle(name)} onClose={onClose}>
      <Form onSubmit={() => remove.mutate(connection.id, { onSuccess: onClose })} error={remove.error}>
        <Callout tone="warn">{words.removeNote(name)}</Callout>
        <Button type="submit" kind="danger" isBusy={remove.isPending}>
          {words.removeGo}
        </Button>
      </Form>
    </Dialog>
  );
}
