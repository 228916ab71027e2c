import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useEnvironment } from '../../../shared/routing/use-environment.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Field } from '../../../shared/ui/field.tsx';
import { userHeadQuery, useUserId } from '../../../shared/user/head.ts';
import styles from '../import.module.css';
import { words } from '../words.ts';

export type Chosen = {
  readonly file: File;
  readonly timezone: string | undefined;
  readonly mapping: object | undefined;
};

type Props = {
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  readonly onStart: (chosen: Chosen) => void;
};

export function FileForm({ isBusy, isDisabled, onStart }: Props) {
  const head = useQuery(userHeadQuery(useEnvironment(), useUserId()));
  const [file, setFile] = useState<File | null>(null);
  const [timezone, setTimezone] = useState('');
  const [mapping, setMapping] = useState('');
  const parsed = parseMapping(mapping);
  const isTable = file !== null && /\.(csv|tsv|txt)$/i.test(file.name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (file === null || parsed === null) return;
    onStart({ file, timezone: timezone.trim() || undefined, mapping: isTable ? parsed : undefined });
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <Field
        label={words.file}
        hint={words.fileHint}
        type="file"
        required
        onChange={({ target }) => setFile(target.files?.[0] ?? null)}
      />
      <Field
        label={words.timezone}
        hint={words.timezoneHint(head.data?.user.timezone ?? null)}
        value={timezone}
        maxLength={64}
        autoComplete="off"
        onChange={({ target }) => setTimezone(target.value)}
      />
      {isTable && (
        <Field
          label={words.mapping}
          hint={words.mappingHint}
          problem={parsed === null ? words.notJson : null}
          value={mapping}
          isMono
          autoComplete="off"
          onChange={({ target }) => setMapping(target.value)}
        />
      )}
      <div>
        <Button
          type="submit"
          kind="first"
          icon="upload"
          isBusy={isBusy}
          disabled={file === null || parsed === null || isDisabled}
        >
          {words.start}
        </Button>
      </div>
    </form>
  );
}

/** Undefined: none was entered. Null: it cannot be read. */
function parseMapping(text: string): object | undefined | null {
  if (text.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
