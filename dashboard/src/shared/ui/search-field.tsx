import { useEffect, useState } from 'react';
import { Field } from './field.tsx';

const TYPING_MS = 300; // a search per pause, not per letter

type Props = {
  readonly label: string;
  readonly value: string;
  readonly maxLength: number;
  readonly onChange: (value: string) => void;
};

/** A filter by text. It follows the address, and changes it when the typing pauses. */
export function SearchField({ label, value, maxLength, onChange }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text.trim() === value) return;
    const timer = setTimeout(() => onChange(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <Field
      label={label}
      isLabelHidden
      icon="search"
      type="search"
      placeholder={label}
      maxLength={maxLength}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
