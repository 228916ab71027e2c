// The pages of one-time links: welcome (the first owner), join (an invitation), reset (a new password).
import { useMutation } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useCodeStep } from '../../shared/session/code-step.tsx';
import type { Session } from '../../shared/session/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form, problemOf } from '../../shared/ui/form.tsx';
import { NewPassword } from './parts/new-password.tsx';
import { OutsideCard } from './parts/outside-card.tsx';
import { useEnter } from './use-enter.ts';
import { words } from './words.ts';

export function WelcomePage() {
  const token = useLinkToken();
  const enter = useEnter();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const code = useCodeStep();
  const begin = useMutation({
    mutationFn: () =>
      api.post<Session>('/welcome', { token, name, email, password, ...code.given }, { needsSession: false }),
    onSuccess: enter,
    onError: code.askIfRequired,
  });
  if (token === '') return <LinkMissing />;
  return (
    <OutsideCard title={words.welcome} note={words.welcomeNote}>
      <Form onSubmit={begin.mutate} error={code.errorOf(begin.error)} fields={['name', 'email', 'password']}>
        <NameField value={name} onChange={setName} problem={problemOf(begin.error, 'name')} />
        <Field
          label={words.email}
          type="email"
          autoComplete="username"
          required
          value={email}
          problem={problemOf(begin.error, 'email')}
          onChange={(event) => setEmail(event.target.value)}
        />
        <NewPassword value={password} onChange={setPassword} problem={problemOf(begin.error, 'password')} />
        {code.field}
        <Button type="submit" kind="first" isBusy={begin.isPending}>
          {words.welcomeGo}
        </Button>
      </Form>
    </OutsideCard>
  );
}

export function JoinPage() {
  const token = useLinkToken();
  const enter = useEnter();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const code = useCodeStep();
  const join = useMutation({
    mutationFn: () => api.post<Session>('/join', { token, name, password, ...code.given }, { needsSession: false }),
    onSuccess: enter,
    onError: code.askIfRequired,
  });
  if (token === '') return <LinkMissing />;
  return (
    <OutsideCard title={words.join} note={words.joinNote}>
      <Form onSubmit={join.mutate} error={code.errorOf(join.error)} fields={['name', 'password']}>
        <NameField value={name} onChange={setName} problem={problemOf(join.error, 'name')} />
        <NewPassword value={password} onChange={setPassword} problem={problemOf(join.error, 'password')} />
        {code.field}
        <Button type="submit" kind="first" isBusy={join.isPending}>
          {words.joinGo}
        </Button>
      </Form>
    </OutsideCard>
  );
}

export function ResetPage() {
  const token = useLinkToken();
  const router = useRouter();
  const [password, setPassword] = useState('');
  const reset = useMutation({
    mutationFn: () => api.post('/password/reset', { token, password }, { needsSession: false }),
    onSuccess: () => router.navigate({ to: '/sign-in', search: { reset: true } }),
  });
  if (token === '') return <LinkMissing />;
  return (
    <OutsideCard title={words.reset} note={words.resetNote}>
      <Form onSubmit={reset.mutate} error={reset.error} fields={['password']}>
        <NewPassword value={password} onChange={setPassword} problem={problemOf(reset.error, 'password')} />
        <Button type="submit" kind="first" isBusy={reset.isPending}>
          {words.resetGo}
        </Button>
      </Form>
    </OutsideCard>
  );
}

type NameProps = { value: string; onChange: (name: string) => void; problem: string | null };

function NameField({ value, onChange, problem }: NameProps) {
  return (
    <Field
      label={words.name}
      autoComplete="name"
      required
      autoFocus
      maxLength={100}
      value={value}
      problem={problem}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function LinkMissing() {
  return (
    <OutsideCard title={words.linkMissing} note={words.linkMissingNote}>
      <Link to="/sign-in" search={{}}>
        {words.backToSignIn}
      </Link>
    </OutsideCard>
  );
}

/** The secret after the # of a link. It leaves the address bar, so that it is not in the history. */
function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  if (window.location.hash !== '') window.history.replaceState(window.history.state, '', window.location.pathname);
  return token;
}
