import type { FormEvent, ReactNode } from 'react';
import { ApiError } from '../../api/client.ts';
import { Callout } from './callout.tsx';
import styles from './form.module.css';
import { joinClasses } from './join-classes.ts';

type Issue = { readonly path: string; readonly message: string };

type Props = {
  readonly onSubmit: () => void;
  /** Of the call; issues without a field are shown above the form. */
  readonly error?: unknown;
  /** Paths of the body whose problems stand at their fields (`problemOf`). */
  readonly fields?: readonly string[];
  readonly isInline?: boolean;
  readonly id?: string;
  readonly children: ReactNode;
};

/** A form without a page load. */
export function Form({ onSubmit, error, fields = [], isInline = false, id, children }: Props) {
  const message = describe(error, fields);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form id={id} className={joinClasses(styles.form, isInline && styles.inline)} onSubmit={submit}>
      {message && (
        <Callout tone="bad" isAnnounced>
          {message}
        </Callout>
      )}
      {children}
    </form>
  );
}

/** What the service says about one field of the body, as a sentence. */
export function problemOf(error: unknown, path: string): string | null {
  const issue = listIssues(error).find((one) => one.path === path);
  return issue ? toSentence(issue.message) : null;
}

function describe(error: unknown, fields: readonly string[]): string | null {
  if (!error) return null;
  if (!(error instanceof ApiError)) return 'Something went wrong on this page. Reload it and try again.';
  const issues = listIssues(error);
  if (issues.length === 0) return error.message;
  const others = issues.filter(({ path }) => !fields.includes(path));
  return others.length === 0 ? null : others.map(({ path, message }) => toSentence(`${path} ${message}`)).join(' ');
}

function listIssues(error: unknown): readonly Issue[] {
  const issues = error instanceof ApiError ? error.details.issues : null;
  return Array.isArray(issues) ? issues : [];
}

/** "must have at least 12 characters" becomes "Must have at least 12 characters." */
function toSentence(text: string): string {
  const whole = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
