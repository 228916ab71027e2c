import { useState } from 'react';
import type { ApiKey } from '../../../shared/query/keys-query.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Select } from '../../../shared/ui/field.tsx';
import { Form } from '../../../shared/ui/form.tsx';
import { useRotateKey } from '../queries.ts';
import { words } from '../words.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

type Props = { readonly apiKey: ApiKey; readonly use: string | null; readonly onClose: () => void };

export function RotateDialog({ apiKey, use, onClose }: Props) {
  const [hours, setHours] = useState(words.overlaps[0]?.value ?? '');
  const rotate = useRotateKey();
  if (rotate.data) return <NewKeyDialog newKey={rotate.data} onClose={onClose} />;
  const overlapHours = Number(hours);
  return (
    <Dialog title={words.rotateTitle(apiKey.name)} onClose={onClose}>
      <Form onSubmit={() => rotate.mutate({ id: apiKey.id, overlapHours })} error={rotate.error}>
        <Select
          label={words.overlap}
          options={words.overlaps}
          value={hours}
          onChange={(event) => setHours(event.target.value)}
        />
        <Callout tone={overlapHours === 0 ? 'warn' : 'info'}>
          {words.usedNow(apiKey.last_four, use)} {overlapHours === 0 ? words.stopsNow : words.stopsLater(overlapHours)}
        </Callout>
        <Button type="submit" kind={overlapHours === 0 ? 'danger' : 'first'} isBusy={rotate.isPending}>
          {words.rotateGo}
        </Button>
      </Form>
    </Dialog>
  );
}
