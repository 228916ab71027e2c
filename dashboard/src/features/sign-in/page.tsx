import { useMutation, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { api, isApiError } from '../../api/client.ts';
import { type Session, sessionQuery } from '../../shared/session/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Callout } from '../../shared/ui/callout.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { OutsideCard } from './parts/outside-card.tsx';
import { words } from './words.ts';

const route = getRouteApi('/outside/sign-in');

export function SignInPage() {
  const { next } = route.useSearch();
  const router = useRouter();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const signIn = useMutation({
    mutationFn: () =>
      api.post<Session>('/session', { email, password, ...(code !== '' && { code }) }, { needsSession: false }),
    onSuccess: (session) => {
      queries.clear();
      queries.setQueryData(sessionQuery.queryKey, session);
      void router.navigate({ href: next ?? '/', replace: true });
    },
  });
  const needsCode = code !== '' || isApiError(signIn.error, 'code_required');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate();
  };
  return (
    <OutsideCard title={words.signIn}>
      <form onSubmit={submit}>
        {signIn.isError && !isApiError(signIn.error, 'code_required') && (
          <Callout tone="bad" isAnnounced>
            {signIn.error.message}
          </Callout>
        )}
        <Field
          label={words.email}
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label={words.password}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {needsCode && (
          <Field
            label={words.code}
            hint={words.codeHint}
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            autoFocus
            isMono
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
        <Button type="submit" kind="first" isBusy={signIn.isPending}>
          {words.signIn}
        </Button>
      </form>
    </OutsideCard>
  );
}
