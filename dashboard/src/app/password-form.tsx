import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client.ts';
import { useCodeStep } from '../shared/session/code-step.tsx';
import { sessionQuery, useSession } from '../shared/session/session.ts';
import { Button } from '../shared/ui/button.tsx';
import { Field } from '../shared/ui/field.tsx';
import { Form } from '../shared/ui/form.tsx';
import { words } from './words.ts';

/** Asks the person who is signed in for the password, and the code if there is an authenticator app. */
export function PasswordForm({ action, onConfirmed }: { action: string; onConfirmed: () => void }) {
  const session = useSession();
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const code = useCodeStep(session?.member.has_totp);
  const confirm = useMutation({
    mutationFn: () => api.post('/session/confirm', { password, ...code.given }, { needsSession: false }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      onConfirmed();
    },
    onError: code.askIfRequired,
  });
  return (
    <Form onSubmit={confirm.mutate} error={code.errorOf(confirm.error)}>
      <Field
        label={words.password}
        type="password"
        autoComplete="current-password"
        required
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {code.field}
      <Button type="submit" kind="first" isBusy={confirm.isPending}>
        {action}
      </Button>
    </Form>
  );
}
