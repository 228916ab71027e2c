import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { words } from '../words.ts';
import styles from './new-password.module.css';

const MIN_LENGTH = 12;

type Props = { value: string; onChange: (password: string) => void; problem: string | null };

/** A new password, which can be looked at while it is typed. */
export function NewPassword({ value, onChange, problem }: Props) {
  const [isShown, setShown] = useState(false);
  const missing = MIN_LENGTH - value.length;
  return (
    <div className={styles.row}>
      <Field
        label={words.password}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        required
        minLength={MIN_LENGTH}
        value={value}
        hint={value === '' || missing <= 0 ? words.passwordHint : words.passwordMissing(missing)}
        problem={problem}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button kind="ghost" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? words.hide : words.show}
      </Button>
    </div>
  );
}
