// The second step where a password is entered: the code of a member who uses an authenticator app.
import { type ReactNode, useState } from 'react';
import { isApiError } from '../../api/client.ts';
import { Field } from '../ui/field.tsx';

type CodeStep = {
  /** For the body of the call. */
  readonly given: { readonly code?: string };
  /** Null until the service asks for a code. */
  readonly field: ReactNode;
  /** For `onError` of the call. */
  readonly askIfRequired: (error: unknown) => void;
  /** The error that the form shows. */
  readonly errorOf: (error: unknown) => unknown;
};

/** `isRequired`: the member is known to use an app. */
export function useCodeStep(isRequired = false): CodeStep {
  const [code, setCode] = useState('');
  const [wasAsked, setAsked] = useState(false);
  const needsCode = isRequired || wasAsked;
  return {
    given: needsCode ? { code } : {},
    field: needsCode && <CodeField value={code} onChange={setCode} hasFocus={wasAsked} />,
    askIfRequired: (error) => {
      if (isApiError(error, 'code_required')) setAsked(true);
    },
    errorOf: (error) => (isApiError(error, 'code_required') ? null : error),
  };
}

type Props = { readonly value: string; readonly onChange: (code: string) => void; readonly hasFocus: boolean };

function CodeField({ value, onChange, hasFocus }: Props) {
  return (
    <Field
      label="Code"
      hint="Six digits from your authenticator app, or one of your recovery codes."
      autoComplete="one-time-code"
      required
      autoFocus={hasFocus}
      isMono
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
