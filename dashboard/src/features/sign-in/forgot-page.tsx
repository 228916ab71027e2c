import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Callout } from '../../shared/ui/callout.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { OutsideCard } from './parts/outside-card.tsx';
import { words } from './words.ts';

/** The answer is the same whether the address is known or not. */
export function ForgotPage() {
  const [email, setEmail] = useState('');
  const ask = useMutation({ mutationFn: () => api.post('/password/forgot', { email }, { needsSession: false }) });
  const back = (
    <Link to="/sign-in" search={{}}>
      {words.backToSignIn}
    </Link>
  );
  return (
    <OutsideCard title={words.forgotTitle} foot={back}>
      {ask.isSuccess ? (
        <Callout tone="good" isAnnounced>
          {words.forgotSent(email)}
        </Callout>
      ) : (
        <Form onSubmit={ask.mutate} error={ask.error}>
          <p>{words.forgotNote}</p>
          <Field
            label={words.email}
            type="email"
            autoComplete="username"
            required
            autoFocus
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
          <Button type="submit" kind="first" isBusy={ask.isPending}>
            {words.forgotSend}
          </Button>
        </Form>
      )}
    </OutsideCard>
  );
}
