import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { useRemoveMember } from '../queries.ts';
import type { Row } from '../roster-rows.ts';
import { words } from '../words.ts';

export function RemoveDialog({ row, onClose }: { row: Row; onClose: () => void }) {
  const remove = useRemoveMember();
  return (
    <Dialog title={words.removeTitle(row.name ?? row.email)} onClose={onClose}>
      <Form onSubmit={() => remove.mutate(row.source.id, { onSuccess: onClose })} error={remove.error}>
        <Callout tone="warn">{words.removeNote}</Callout>
        <Button type="submit" kind="danger" isBusy={remove.isPending}>
          {words.removeGo}
        </Button>
      </Form>
    </Dialog>
  );
}
