import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { useCreateKey } from '../queries.ts';
import { words } from '../words.ts';
import { NewKeyDialog } from './new-key-dialog.tsx';

export function CreateDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const create = useCreateKey();
  if (create.data) return <NewKeyDialog newKey={create.data} onClose={onClose} />;
  return (
    <Dialog title={words.create} onClose={onClose}>
      <p>{words.createNote}</p>
      <Form onSubmit={() => create.mutate({ name })} error={create.error} fields={['name']}>
        <Field
          label={words.name}
          hint={words.nameHint}
          required
          autoFocus
          maxLength={100}
          value={name}
          problem={problemOf(create.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" kind="first" isBusy={create.isPending}>
          {words.create}
        </Button>
      </Form>
    </Dialog>
  );
}
