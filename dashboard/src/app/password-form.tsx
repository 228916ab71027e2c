import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, isApiError } from '../api/client.ts';
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
  const [code, setCode] = useState('');
  const [wasAskedForCode, setAskedForCode] = useState(false);
  const needsCode = wasAskedForCode || session?.member.has_totp === true;
  const confirm = useMutation({
    mutationFn: () => api.post('/session/confirm', { password, ...(needsCode && { code }) }, { needsSession: false }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
      onConfirmed();
    },
    onError: (error) => {
      if (isApiError(error, 'code_required')) setAskedForCode(true);
    },
  });
  return (
    <Form onSubmit={confirm.mutate} error={isApiError(confirm.error, 'code_required') ? null : confirm.error}>
      <Field
        label={words.password}
        type="password"
        autoComplete="current-password"
        required
        autoFocus
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {needsCode && (
        <Field
          label={words.code}
          hint={words.codeHint}
          autoComplete="one-time-code"
          required
          isMono
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      )}
      <Button type="submit" kind="first" isBusy={confirm.isPending}>
        {action}
      </Button>
    </Form>
  );
}
