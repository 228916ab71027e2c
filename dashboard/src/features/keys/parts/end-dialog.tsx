import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { type ApiKey, useEndKey } from '../queries.ts';
import { words } from '../words.ts';

type Props = { readonly apiKey: ApiKey; readonly use: string | null; readonly onClose: () => void };

export function EndDialog({ apiKey, use, onClose }: Props) {
  const end = useEndKey();
  return (
    <Dialog title={words.endTitle(apiKey.name)} onClose={onClose}>
      <Form onSubmit={() => end.mutate({ id: apiKey.id }, { onSuccess: onClose })} error={end.error}>
        <Callout tone="warn">
          {words.usedNow(apiKey.last_four, use)} {words.stopsNow} {words.endNote}
        </Callout>
        <Button type="submit" kind="danger" isBusy={end.isPending}>
          {words.endGo}
        </Button>
      </Form>
    </Dialog>
  );
}
