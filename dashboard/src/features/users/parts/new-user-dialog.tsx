import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, api } from '../../../api/client.ts';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { readerZone } from '../../../shared/time/format-time.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Field, Select } from '../../../shared/ui/field.tsx';
import { words } from '../words.ts';

const ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({ value: zone, text: zone }));

export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const environment = useEnvironment();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [reference, setReference] = useState('');
  const [zone, setZone] = useState(readerZone());
  const creation = useMutation({
    mutationFn: () =>
      api.post<{ readonly data: { readonly id: string } }>(`/${environment}/v1/users`, {
        reference_id: reference.trim(),
        timezone: zone,
      }),
    onSuccess: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: [environment, 'users', 'directory'] });
      await navigate({ to: `/${environment}/users/${data.id}` as '/' });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reference.trim() !== '') creation.mutate();
  };
  return (
    <Dialog
      title={words.newUser}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="first" type="submit" form="new-user" isBusy={creation.isPending}>
            {words.create}
          </Button>
        </>
      }
    >
      <form id="new-user" onSubmit={submit}>
        <Field
          label={words.reference}
          hint={words.referenceHint}
          problem={describeProblem(creation.error)}
          value={reference}
          required
          maxLength={255}
          autoComplete="off"
          onChange={(event) => setReference(event.target.value)}
        />
        <Select
          label={words.zone}
          options={ZONES}
          value={zone}
          {...(environment === 'sandbox' && { hint: words.sandboxHint })}
          onChange={(event) => setZone(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

function describeProblem(error: Error | null): string | null {
  return error === null ? null : error instanceof ApiError ? error.message : 'The user could not be created.';
}
