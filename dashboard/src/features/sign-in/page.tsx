import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, isApiError } from '../../api/client.ts';
import type { Session } from '../../shared/session/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Callout } from '../../shared/ui/callout.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { OutsideCard } from './parts/outside-card.tsx';
import { useEnter } from './use-enter.ts';
import { words } from './words.ts';

const route = getRouteApi('/outside/sign-in');

export function SignInPage() {
  const { next, reset } = route.useSearch();
  const enter = useEnter(next);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const signIn = useMutation({
    mutationFn: () =>
      api.post<Session>('/session', { email, password, ...(needsCode && { code }) }, { needsSession: false }),
    onSuccess: enter,
    onError: (error) => {
      if (isApiError(error, 'code_required')) setNeedsCode(true);
    },
  });
  return (
    <OutsideCard
      title={words.signIn}
      foot={
        <Link to="/forgot" search={{}}>
          {words.forgot}
        </Link>
      }
    >
      {reset && <Callout tone="good">{words.wasReset}</Callout>}
      <Form onSubmit={signIn.mutate} error={isApiError(signIn.error, 'code_required') ? null : signIn.error}>
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
      </Form>
    </OutsideCard>
  );
}
