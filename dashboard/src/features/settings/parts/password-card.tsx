import { useState } from 'react';
import { api, isApiError } from '../../../api/client.ts';
import { useSession } from '../../../shared/session/session.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Card } from '../../../shared/ui/card.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { Form, problemOf } from '../../../shared/ui/form.tsx';
import { sessionsQuery, useChange } from '../queries.ts';
import styles from '../settings.module.css';
import { words } from '../words.ts';
import { Saved } from './saved.tsx';

const EMPTY = { current: '', password: '', code: '' };

export function PasswordCard() {
  const needsCode = useSession()?.member.has_totp === true;
  const [given, setGiven] = useState(EMPTY);
  const change = useChange(
    ({ current, password, code }: typeof EMPTY) =>
      api.post('/member/password', { current, password, ...(needsCode && { code }) }, { needsSession: false }),
    sessionsQuery.queryKey,
  );
  const isWrong = isApiError(change.error, 'invalid_credentials');
  return (
    <Card title={words.password}>
      <Form
        onSubmit={() => change.mutate(given, { onSuccess: () => setGiven(EMPTY) })}
        error={isWrong ? null : change.error}
        fields={['password']}
      >
        <Field
          label={words.currentPassword}
          type="password"
          autoComplete="current-password"
          required
          value={given.current}
          problem={isWrong ? words.wrongPassword : null}
          onChange={(event) => setGiven({ ...given, current: event.target.value })}
        />
        {needsCode && (
          <Field
            label={words.code}
            autoComplete="one-time-code"
            required
            isMono
            value={given.code}
            onChange={(event) => setGiven({ ...given, code: event.target.value })}
          />
        )}
        <Field
          label={words.newPassword}
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          hint={words.passwordHint}
          value={given.password}
          problem={problemOf(change.error, 'password')}
          onChange={(event) => setGiven({ ...given, password: event.target.value })}
        />
        <div className={styles.actions}>
          <Button type="submit" isBusy={change.isPending}>
            {words.changePassword}
          </Button>
          <Saved isShown={change.isSuccess && given === EMPTY} />
        </div>
      </Form>
    </Card>
  );
}
