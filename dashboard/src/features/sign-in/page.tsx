import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useCodeStep } from '../../shared/session/code-step.tsx';
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
  const code = useCodeStep();
  const signIn = useMutation({
    mutationFn: () => api.post<Session>('/session', { email, password, ...code.given }, { needsSession: false }),
    onSuccess: enter,
    onError: code.askIfRequired,
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
      <Form onSubmit={signIn.mutate} error={code.errorOf(signIn.error)}>
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
        {code.field}
        <Button type="submit" kind="first" isBusy={signIn.isPending}>
          {words.signIn}
        </Button>
      </Form>
    </OutsideCard>
  );
}
