import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Callout } from '../../../shared/ui/callout.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { useCreatePerson } from '../queries.ts';
import { words } from '../words.ts';
import { UserLink } from './user-link.tsx';

export function PersonDialog({ onClose }: { onClose: () => void }) {
  const [reference, setReference] = useState('');
  const create = useCreatePerson();
  const made = create.data?.data;
  return (
    <Dialog title={words.newPerson} onClose={onClose}>
      {made ? (
        <>
          <Callout tone="good" isAnnounced>
            {words.created(made.reference_id)}
          </Callout>
          <UserLink userId={made.id}>{words.open}</UserLink>
        </>
      ) : (
        <>
          <p>{words.newPersonNote}</p>
          <Form onSubmit={() => create.mutate(reference)} error={create.error} fields={['reference_id']}>
            <Field
              label={words.reference}
              hint={words.referenceHint}
              required
              autoFocus
              maxLength={255}
              value={reference}
              problem={problemOf(create.error, 'reference_id')}
              onChange={(event) => setReference(event.target.value)}
            />
            <Button type="submit" kind="first" isBusy={create.isPending}>
              {words.create}
            </Button>
          </Form>
        </>
      )}
    </Dialog>
  );
}
